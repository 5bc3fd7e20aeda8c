package io.gleaner.examples.stream;

import io.gleaner.api.Parameters;
import io.gleaner.api.Task;
import io.gleaner.api.TaskContext;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.stream.LongStream;

/** Counts the primes among the numbers from {@code from} on. */
public final class CountPrimes implements Task {
  static final long NUMBERS = 10_000;

  @Override
  public byte[] run(Parameters parameters, TaskContext context) {
    long from = parameters.longInteger("from");
    long primes =
        LongStream.range(from, from + NUMBERS)
            .filter(number -> BigInteger.valueOf(number).isProbablePrime(40))
            .count();
    return Long.toString(primes).getBytes(StandardCharsets.US_ASCII);
  }
}
