package io.gleaner.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.gleaner.fuzzing.Corpus;
import io.gleaner.fuzzing.Cost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.MethodSource;

/** The bytes of a field: what is read is written as bytes that are read as the same again. */
public class ValueFuzzTest {

  /** A record that the bytes may name. */
  record Pair(Object first, List<Object> second) {}

  /** An enum that the bytes may name. */
  enum Colour {
    RED,
    GREEN
  }

  @MethodSource("values")
  @DictionaryEntries({
    "io.gleaner.matching.ValueFuzzTest$Pair",
    "io.gleaner.matching.ValueFuzzTest$Colour",
    "java.util.LinkedList",
    "java.util.TreeMap",
    "java.util.TreeSet",
    "java.util.ArrayDeque",
    "java.util.concurrent.ConcurrentHashMap",
    "java.util.concurrent.CopyOnWriteArrayList",
    "java.time.ZoneId",
    "java.time.ZonedDateTime",
    "java.util.Locale",
    "java.util.BitSet",
    "java.lang.Object"
  })
  @FuzzTest
  @Tag("S4")
  public void isRefusedOrWrittenAgain(byte[] bytes) {
    ClassLoader classes = getClass().getClassLoader();
    Object value;
    try {
      value = Cost.bounded(bytes.length, () -> ValueDecoder.decode(bytes, classes));
    } catch (MalformedValue refused) {
      assertThat(ValueDecoder.scalar(bytes)).isEmpty();
      return;
    }
    byte[] once;
    try {
      once = ValueEncoder.encode(value);
    } catch (IllegalArgumentException notCanonical) {
      return; // such as a set in the components of a record that is no value
    }
    Object again = ValueDecoder.decode(once, classes);
    assertThat(ValueEncoder.encode(again)).isEqualTo(once);
  }

  /** Found by reading: each element copied those before it. */
  @Test
  @Tag("S4")
  void aLongListThatIsCopiedOnWriteIsCheap() {
    byte[] bytes = ValueEncoder.encode(new CopyOnWriteArrayList<>(Collections.nCopies(40_000, "")));

    Object read =
        Cost.bounded(bytes.length, () -> ValueDecoder.decode(bytes, getClass().getClassLoader()));

    assertThat((List<?>) read).hasSize(40_000);
  }

  /** Found by reading: a class loader remembers every name, whether there is a class or not. */
  @Test
  @Tag("S4")
  void aClassLoaderIsNotAskedForWhatItHasNoFileOf() {
    try (AskedLoader loader = new AskedLoader()) {
      for (String name :
          List.of(
              "org.example.Nowhere",
              "[Lorg.example.Nowhere;",
              "java..util.Map",
              ".java.util.Map",
              "java/util/Map",
              "x".repeat(200_000))) {
        byte[] bytes = new byte[name.length() + 8];
        assertThatThrownBy(() -> ValueDecoder.decode(arrayOf(name, bytes), loader))
            .isInstanceOf(MalformedValue.class)
            .hasMessageContaining("is not here");
      }
      assertThat(loader.asked).isEmpty();
      assertThat(ValueDecoder.decode(ValueEncoder.encode(new int[][] {{1}}), loader))
          .isEqualTo(new int[][] {{1}});
      assertThat(ValueDecoder.decode(ValueEncoder.encode(Colour.RED), loader))
          .isEqualTo(Colour.RED);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] arrayOf(String component, byte[] room) {
    ByteBuffer out = ByteBuffer.wrap(room);
    out.put((byte) io.gleaner.matching.Tag.ARRAY.code);
    int length = component.length();
    for (; length > 0x7f; length >>>= 7) {
      out.put((byte) (length | 0x80));
    }
    out.put((byte) length).put(component.getBytes(StandardCharsets.US_ASCII)).put((byte) 0);
    return Arrays.copyOf(room, out.position());
  }

  private static final class AskedLoader extends URLClassLoader {
    static {
      registerAsParallelCapable();
    }

    final List<String> asked = new ArrayList<>();

    AskedLoader() {
      super(new URL[0], ValueFuzzTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      asked.add(name);
      return super.loadClass(name, resolve);
    }
  }

  public static Stream<byte[]> values() {
    return Corpus.with(
        ValueFuzzTest.class,
        Stream.of(
                "text",
                7,
                8L,
                1.5,
                true,
                'c',
                new byte[] {1, 2},
                new int[] {1, 2},
                new double[] {1, 2},
                new String[] {"a", "b"},
                Instant.EPOCH,
                Duration.ofSeconds(3),
                new UUID(1, 2),
                new BigDecimal("12.50"),
                Colour.GREEN,
                new Pair("a", List.of(1, 2)),
                List.of("a", 1),
                Set.of("a"),
                Map.of("a", 1, "b", 2),
                Optional.of("a"),
                LocalDate.EPOCH,
                BitSet.valueOf(new long[] {5}),
                new ArrayDeque<>(List.of(1, 2)),
                new TreeMap<>(Map.of("a", 1)))
            .map(ValueEncoder::encode));
  }
}
