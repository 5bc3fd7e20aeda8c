package io.gleaner.examples.mandelbrot;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class EscapeTest {
  private static final MathContext DIGITS = new MathContext(80);
  private static final BigDecimal BAILOUT = new BigDecimal(1_000_000);

  @ParameterizedTest
  @CsvSource({"0.11, 0.12", "-0.3, 0.1", "0.44, 0.44", "0.2, -0.49", "-0.47, -0.3", "0.06, 0.001"})
  void aDeviationEscapesWhenThePointItselfDoesInEightyDigits(double column, double row) {
    View view = View.of(Story.tile(0, 96));
    Escape point = escape(view);
    double dx = column * view.width();
    double dy = row * view.width();

    point.run(dx, dy);

    int expected =
        escapesAt(
            view.real().add(new BigDecimal(dx)), view.imaginary().add(new BigDecimal(dy)), 10_000);
    assertThat(point.inside()).isFalse();
    assertThat(point.work()).isEqualTo(expected);
  }

  @Test
  void theNucleusIsInsideAndItsOrbitCloses() {
    View view = View.of(Story.tile(0, 96));
    Escape point = escape(view);

    point.run(0, 0);

    assertThat(point.inside()).isTrue();
    assertThat(orbit(view).last()).isEqualTo(42);
  }

  @Test
  void aCentreOutsideTheSetServesAsReferenceToo() {
    View view = new View(new BigDecimal("0.5"), new BigDecimal("0.5"), 3, 500, 1, 64);
    Escape point = escape(view);

    point.run(-0.5, -0.5);
    assertThat(point.inside()).isTrue();

    point.run(0.25, 0.75);
    assertThat(point.inside()).isFalse();
  }

  private static int escapesAt(BigDecimal cx, BigDecimal cy, int limit) {
    BigDecimal x = BigDecimal.ZERO;
    BigDecimal y = BigDecimal.ZERO;
    for (int n = 1; n <= limit; n++) {
      BigDecimal nextX = x.multiply(x).subtract(y.multiply(y)).add(cx, DIGITS);
      y = x.multiply(y).add(x.multiply(y)).add(cy, DIGITS);
      x = nextX;
      if (x.multiply(x).add(y.multiply(y)).compareTo(BAILOUT) > 0) {
        return n;
      }
    }
    return limit;
  }

  private static Escape escape(View view) {
    return new Escape(orbit(view), view.iterations(), view.pixel());
  }

  private static ReferenceOrbit orbit(View view) {
    return ReferenceOrbit.of(view.real(), view.imaginary(), view.width(), view.iterations());
  }
}
