package io.gleaner.fuzzing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** The committed inputs of a target: a file with one input in base 64 per line. */
public final class Corpus {
  private Corpus() {}

  /** The seeds that the target writes itself, and the inputs that fuzzing found for it. */
  public static Stream<byte[]> with(Class<?> target, Stream<byte[]> seeds) {
    return Stream.concat(seeds, lines(target).stream().map(Base64.getDecoder()::decode));
  }

  private static List<String> lines(Class<?> target) {
    String name = "/corpus/" + target.getSimpleName() + ".txt";
    try (InputStream in = Corpus.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("src/test/resources" + name + " is missing");
      }
      return new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))
          .lines()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
