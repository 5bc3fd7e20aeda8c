package io.gleaner.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import net.jini.core.entry.UnusableEntryException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Entries survive the way into the space and out of it; bytes of strangers do no harm. */
@Timeout(60)
@SuppressWarnings({"JavaUtilDate", "JdkObsolete"}) // programs have such fields
class EntryCodecTest {
  private static final List<Object> VALUES =
      List.of(
          "",
          "grün \uD83C\uDF3E",
          "half a pair \uD83C",
          true,
          (byte) -7,
          (short) -700,
          'x',
          Integer.MIN_VALUE,
          Long.MAX_VALUE,
          Float.NaN,
          -0.0,
          Double.MIN_VALUE,
          new boolean[] {true, false},
          new byte[] {1, -2},
          new short[] {3, -4},
          new char[] {'a', '\uD800'},
          new int[] {5, -6},
          new long[] {7, -8},
          new float[] {9.5f},
          new double[] {-10.5, Double.NaN},
          Instant.parse("2026-11-21T02:00:00.123456789Z"),
          Instant.MIN,
          Duration.ofSeconds(-3, 5),
          new UUID(1, -1),
          new BigInteger("-123456789012345678901234567890"),
          new BigDecimal("1234.50"),
          DayOfWeek.FRIDAY,
          List.of(1, "two", List.of(3L)),
          Set.of("a", "b"),
          Map.of("k", 1, "l", 2),
          new String[] {"a", null},
          new AnyEntry.Pair(1, new AnyEntry.Pair("x", null)),
          new Date(-7),
          LocalDate.of(2026, 11, 22),
          LocalDate.MIN,
          LocalTime.of(23, 59, 59, 1),
          LocalDateTime.MAX,
          OffsetTime.MIN,
          OffsetDateTime.of(LocalDateTime.of(2026, 1, 2, 3, 4), ZoneOffset.ofHours(-3)),
          ZonedDateTime.ofLocal(
              LocalDateTime.of(2026, 10, 25, 2, 30),
              ZoneId.of("Europe/Berlin"),
              ZoneOffset.ofHours(1)),
          ZoneId.of("Europe/Berlin"),
          ZoneOffset.UTC,
          Period.of(1, -2, 3),
          Year.of(-12_345),
          YearMonth.of(2026, 11),
          MonthDay.of(2, 29),
          URI.create("https://example.org/a?b=%20c#d"),
          Locale.forLanguageTag("de-CH-u-ca-gregory"),
          Locale.ROOT,
          Currency.getInstance("EUR"),
          BitSet.valueOf(new long[] {5, 0, Long.MIN_VALUE}),
          Optional.empty(),
          Optional.of(List.of(1, Optional.of("x"))),
          new LinkedList<>(List.of(3, 1, 2)),
          new TreeSet<>(Set.of("b", "a")),
          new TreeMap<>(Map.of("k", 1, "l", new LinkedList<>(List.of("x")))),
          new Hashtable<>(Map.of("k", 1)));

  @Test
  void everySupportedValueComesBack() throws Exception {
    for (Object value : VALUES) {
      assertThat(Objects.deepEquals(returned(value), value)).as("%s", value).isTrue();
    }
  }

  @Test
  void valuesOfValuesComeBack() throws Exception {
    long seed = Long.getLong("gleaner.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      Object value = anyValue(random, 4);
      assertThat(bytes(returned(value))).isEqualTo(bytes(value));
    }
  }

  @Test
  void equalCollectionsAreEqualBytesWhateverTheirOrder() {
    Map<String, Integer> one = new HashMap<>(Map.of("a", 1, "b", 2));
    assertThat(bytes(one)).isEqualTo(bytes(Map.of("b", 2, "a", 1)));
    assertThat(bytes(new HashSet<>(List.of(1, 2, 300)))).isEqualTo(bytes(Set.of(300, 2, 1)));
    assertThat(bytes(new ArrayList<>(List.of(1)))).isEqualTo(bytes(Arrays.asList(1)));
    assertThat(bytes(new ConcurrentHashMap<>(one))).isEqualTo(bytes(new ConcurrentHashMap<>(one)));
  }

  @Test
  void collectionsWithAnOrderKeepTheirClassAndIt() throws Exception {
    List<Object> ordered =
        List.of(
            new LinkedList<>(List.of(2, 1)),
            new Vector<>(List.of(2, 1)),
            new ArrayDeque<>(List.of(2, 1)),
            new CopyOnWriteArrayList<>(List.of(2, 1)),
            new LinkedHashSet<>(List.of("z", "a", "m")),
            new TreeSet<>(List.of("z", "a", "m")),
            new TreeSet<>(Comparator.reverseOrder()));
    for (Object value : ordered) {
      Object read = returned(value);
      assertThat(read).hasSameClassAs(value);
      assertThat(new ArrayList<>((Collection<?>) read))
          .isEqualTo(new ArrayList<>((Collection<?>) value));
    }
    Map<String, Integer> map = new LinkedHashMap<>();
    map.put("z", 1);
    map.put("a", 2);
    Map<?, ?> read = (Map<?, ?>) returned(map);
    assertThat(new ArrayList<>(read.keySet())).isEqualTo(List.of("z", "a"));
    assertThat(bytes(new LinkedHashSet<>(List.of(1, 2))))
        .isNotEqualTo(bytes(new LinkedHashSet<>(List.of(2, 1))));
  }

  @Test
  void collectionsThatComeBackCanBeChanged() throws Exception {
    List<Object> list = uncheckedList(returned(List.of(1)));
    list.add(2);
    assertThat(list).isEqualTo(List.of(1, 2));
    assertThat(returned(Set.of(1))).hasSameClassAs(new HashSet<>());
    assertThat(returned(Map.of(1, 2))).hasSameClassAs(new HashMap<>());
  }

  @SuppressWarnings("unchecked") // only its elements are compared
  private static List<Object> uncheckedList(Object list) {
    return (List<Object>) list;
  }

  @Test
  void whatCannotBeStoredIsRefusedWithItsClass() {
    assertThatThrownBy(() -> bytes(new Thread()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.lang.Thread");
    Object deep = "x";
    for (int i = 0; i < 100; i++) {
      deep = List.of(deep);
    }
    Object tooDeep = deep;
    assertThatThrownBy(() -> bytes(tooDeep)).hasMessageContaining("nested deeper");
  }

  @Test
  @Tag("S4")
  void aValueCutShortAnywhereIsAnError() {
    for (Object value : VALUES) {
      byte[] whole = bytes(value);
      for (int length = 0; length < whole.length; length++) {
        byte[] cut = Arrays.copyOf(whole, length);
        assertThatThrownBy(() -> decoded(cut)).isInstanceOf(UnusableEntryException.class);
      }
    }
  }

  @Test
  @Tag("S4")
  void lengthsOfGigabytesAreRefusedBeforeAnythingIsAllocated() {
    for (String name : List.of("STRING", "CHARS", "BYTES", "LONGS", "LIST", "SET", "MAP")) {
      byte[] hostile = {code(name), -1, -1, -1, -1, 7, 0, 0};
      assertThatThrownBy(() -> decoded(hostile)).isInstanceOf(UnusableEntryException.class);
    }
  }

  @Test
  @Tag("S4")
  void deepNestingIsRefusedAndDoesNotOverflowTheStack() {
    byte[] hostile = new byte[200_000];
    for (int i = 0; i < hostile.length; i += 2) {
      hostile[i] = code("LIST");
      hostile[i + 1] = 1;
    }
    assertThatThrownBy(() -> decoded(hostile)).isInstanceOf(UnusableEntryException.class);
  }

  @Test
  @Tag("S4")
  void randomAndDamagedBytesAreAValueOrAnErrorAndNothingElse() throws Exception {
    long seed = Long.getLong("gleaner.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = bytes(VALUES.get(random.nextInt(VALUES.size())));
      if (random.nextBoolean()) {
        bytes = new byte[random.nextInt(40)];
        random.nextBytes(bytes);
      } else {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        decoded(bytes);
      } catch (UnusableEntryException expected) {
        assertThat(expected.nestedExceptions).isNotEmpty();
      }
    }
  }

  @Test
  @Tag("S4")
  void aClassThatIsNoEnumOrRecordIsNeverMade() {
    byte[] name = "java.lang.ProcessBuilder".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    byte[] hostile = new byte[name.length + 3];
    hostile[0] = code("RECORD");
    hostile[1] = (byte) name.length;
    System.arraycopy(name, 0, hostile, 2, name.length);
    assertThatThrownBy(() -> decoded(hostile))
        .isInstanceOfSatisfying(
            UnusableEntryException.class,
            e -> assertThat(e.nestedExceptions[0]).hasMessageContaining("no record"));
  }

  /** The first byte of an encoded value of this kind. */
  private static byte code(String tag) {
    return (byte) io.gleaner.matching.Tag.valueOf(tag).code;
  }

  private static Object anyValue(Random random, int depth) {
    if (depth == 0 || random.nextInt(3) == 0) {
      return VALUES.get(random.nextInt(12));
    }
    Object left = anyValue(random, depth - 1);
    Object right = anyValue(random, depth - 1);
    return switch (random.nextInt(3)) {
      case 0 -> List.of(left, right);
      case 1 -> new AnyEntry.Pair(left, right);
      default -> new Object[] {left, null, right};
    };
  }

  private static Object returned(Object value) throws UnusableEntryException {
    EncodedEntry encoded = EntryCodec.encode(new AnyEntry("a", value));
    return ((AnyEntry) EntryCodec.decode(encoded, EntryCodecTest.class.getClassLoader())).value;
  }

  private static byte[] bytes(Object value) {
    return EntryCodec.encode(new AnyEntry("a", value)).fields()[1];
  }

  private static Object decoded(byte[] bytes) throws UnusableEntryException {
    EncodedEntry whole = EntryCodec.encode(new AnyEntry("a", 1));
    EncodedEntry hostile = new EncodedEntry(whole.type(), new byte[][] {whole.fields()[0], bytes});
    return ((AnyEntry) EntryCodec.decode(hostile, EntryCodecTest.class.getClassLoader())).value;
  }

  record Exact(ArrayList<String> words) {}

  @Test
  void whatIsDeclaredAsAClassOfCollectionsComesBackAsThat() throws Exception {
    Exact exact = new Exact(new ArrayList<>(List.of("a")));
    assertThat(returned(exact)).isEqualTo(exact);
    ArrayList<?>[] lists = {new ArrayList<>(List.of("a"))};
    assertThat((ArrayList<?>[]) returned(lists)).isEqualTo(lists);
  }
}
