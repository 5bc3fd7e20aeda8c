package io.gleaner.examples.mandelbrot;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;

/**
 * The orbit of the picture's centre under {@code z -> z*z + c}, computed in fixed point with as
 * many bits as the zoom needs and kept in doubles.
 *
 * <p>All pixels are computed as small deviations from it, which doubles can hold where they could
 * not hold the coordinates. The orbit ends when the centre escapes, when it closes (the centre is
 * the nucleus of a small copy of the set, so that the orbit repeats), or at the iteration limit.
 * Immutable.
 */
final class ReferenceOrbit {
  /** Bits below the size of the picture, so that rounding stays under a millionth of a pixel. */
  private static final int GUARD_BITS = 64;

  /** How near to zero, in widths of the picture, an orbit counts as closed. */
  private static final double CLOSED = 0x1p-20;

  private final double[] real;
  private final double[] imaginary;

  private ReferenceOrbit(double[] real, double[] imaginary) {
    this.real = real;
    this.imaginary = imaginary;
  }

  /**
   * Iterates the centre.
   *
   * @param width of the whole picture in the complex plane
   */
  static ReferenceOrbit of(BigDecimal centreX, BigDecimal centreY, double width, int iterations) {
    int bits = GUARD_BITS + Math.max(0, -Math.getExponent(width));
    BigInteger cx = fixed(centreX, bits);
    BigInteger cy = fixed(centreY, bits);
    BigInteger x = BigInteger.ZERO;
    BigInteger y = BigInteger.ZERO;
    double[] real = new double[iterations + 1];
    double[] imaginary = new double[iterations + 1];
    double slopeX = 0;
    double slopeY = 0;
    int n = 0;
    while (n < iterations) {
      double nextSlopeX = 2 * (real[n] * slopeX - imaginary[n] * slopeY) + 1;
      slopeY = 2 * (real[n] * slopeY + imaginary[n] * slopeX);
      slopeX = nextSlopeX;
      BigInteger nextX = x.add(y).multiply(x.subtract(y)).shiftRight(bits).add(cx);
      y = x.multiply(y).shiftRight(bits - 1).add(cy);
      x = nextX;
      n++;
      real[n] = floating(x, bits);
      imaginary[n] = floating(y, bits);
      double size = real[n] * real[n] + imaginary[n] * imaginary[n];
      double reach = CLOSED * width;
      if (size > 4 || size < reach * reach * (slopeX * slopeX + slopeY * slopeY)) {
        break;
      }
    }
    return new ReferenceOrbit(Arrays.copyOf(real, n + 1), Arrays.copyOf(imaginary, n + 1));
  }

  /** Index of the last point; point 0 is the origin. */
  int last() {
    return real.length - 1;
  }

  /** The real parts; not to be changed. */
  double[] real() {
    return real;
  }

  /** The imaginary parts; not to be changed. */
  double[] imaginary() {
    return imaginary;
  }

  private static BigInteger fixed(BigDecimal value, int bits) {
    return value
        .multiply(new BigDecimal(BigInteger.ONE.shiftLeft(bits)))
        .setScale(0, RoundingMode.HALF_EVEN)
        .toBigInteger();
  }

  private static double floating(BigInteger value, int bits) {
    int excess = value.bitLength() - 62;
    return excess > 0
        ? Math.scalb((double) value.shiftRight(excess).longValue(), excess - bits)
        : Math.scalb((double) value.longValue(), -bits);
  }
}
