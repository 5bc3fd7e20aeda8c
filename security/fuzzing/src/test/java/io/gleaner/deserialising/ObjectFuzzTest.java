package io.gleaner.deserialising;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.gleaner.fuzzing.Corpus;
import io.gleaner.fuzzing.Cost;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Serialised objects under the allow-list. Jazzer puts gadgets of its own on the class path and
 * reports each that comes alive.
 */
public class ObjectFuzzTest {

  @MethodSource("objects")
  @FuzzTest
  @Tag("S4")
  public void bringsNothingToLifeThatIsNotAllowed(byte[] bytes) {
    AllowList allowed = new AllowList(Set.of(), bytes.length);
    try {
      Object unused =
          Cost.bounded(
              bytes.length, () -> Deserialiser.read(bytes, allowed, getClass().getClassLoader()));
    } catch (Exception | LinkageError | StackOverflowError refused) {
      // What readObject of a class of the JDK throws about its own fields; SerialisedField says it.
    }
  }

  public static Stream<byte[]> objects() {
    return Corpus.with(
        ObjectFuzzTest.class,
        Stream.<Serializable>of(
                "text",
                BigInteger.TEN,
                Instant.EPOCH,
                new ArrayList<>(List.of("a", 1)),
                new HashMap<>(Map.of("a", 1)),
                new int[] {1, 2},
                new IllegalStateException("x"))
            .map(ObjectFuzzTest::written));
  }

  private static byte[] written(Serializable object) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
