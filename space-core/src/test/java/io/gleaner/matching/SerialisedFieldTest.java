package io.gleaner.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hostile.Tripwire;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.TaskEntry;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Values that are only serialisable: back in clients, and only as what was declared. */
@Timeout(60)
class SerialisedFieldTest {
  private static final ClassLoader CLASSES = SerialisedFieldTest.class.getClassLoader();

  /** A value as programs have them. */
  public static final class Part implements Serializable {
    private static final long serialVersionUID = 1L;
    private final String name;
    private final Object more;

    Part(String name, Object more) {
      this.name = name;
      this.more = more;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Part p && p.name.equals(name) && Objects.equals(p.more, more);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }
  }

  /** A list with a class of its own. */
  public static final class Basket extends ArrayList<Object> {
    private static final long serialVersionUID = 1L;
  }

  /** Fields declared in several ways. */
  public static class Declaring implements Entry {
    private static final long serialVersionUID = 1L;
    public Tripwire declared;
    public Comparable<Tripwire> argument;
    public List<? extends Tripwire[]> elements;
    public Serializable open;
    public Map<String, String> texts;

    public Declaring() {}
  }

  @Test
  void whatIsOnlySerialisableComesBack() throws Exception {
    Basket basket = new Basket();
    basket.add(new Part("x", null));
    TreeMap<String, Object> backwards = new TreeMap<>(Comparator.reverseOrder());
    backwards.put("a", 3);
    for (Object value :
        List.of(
            new Part("a", List.of(1, "two")),
            new Part("b", new Part("c", new HashMap<>(Map.of("k", 0)))),
            new ArrayList<>(List.of(new Part("d", 1))),
            Map.of("k", new Part("e", Set.of())),
            new GregorianCalendar(2026, 10, 22),
            basket,
            backwards)) {
      Object read = returned(value);
      assertThat(read).isEqualTo(value).isNotSameAs(value);
    }
    assertThat(returned(basket)).isInstanceOf(Basket.class);
    assertThat(bytes(new Part("a", List.of(1)))).isEqualTo(bytes(new Part("a", List.of(1))));
    assertThat(returned(new IllegalStateException("odd")))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void valuesOfValuesComeBack() throws Exception {
    long seed = Long.getLong("gleaner.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      Object value = new Part("root", anyValue(random, 5));
      assertThat(returned(value)).isEqualTo(value);
    }
  }

  private static Object anyValue(Random random, int depth) {
    if (depth == 0) {
      return random.nextInt(3) == 0 ? null : "leaf " + random.nextInt();
    }
    Object left = anyValue(random, depth - 1);
    Object right = anyValue(random, depth - 1);
    return switch (random.nextInt(5)) {
      case 0 -> new Part("part", left);
      case 1 -> new ArrayList<>(Arrays.asList(left, right));
      case 2 -> new HashSet<>(Arrays.asList(left, right));
      case 3 -> new HashMap<>(java.util.Collections.singletonMap(left, right));
      default -> random.nextLong();
    };
  }

  @Test
  @Tag("S4")
  void whatNobodyDeclaredIsNamedAndNeverMade() {
    int before = Tripwire.READ.get();
    for (Object value :
        List.of(
            new Tripwire(),
            new ArrayList<>(List.of(new Tripwire())),
            new Part("in", new Tripwire()))) {
      byte[] stored = bytes(value);
      assertThatThrownBy(() -> decoded(stored))
          .isInstanceOfSatisfying(
              UnusableEntryException.class,
              e -> {
                assertThat(e.unusableFields).containsExactly("value");
                assertThat(((AnyEntry) e.partialEntry).name).isEqualTo("a");
                assertThat(e.nestedExceptions[0])
                    .hasMessageContaining("hostile.Tripwire")
                    .hasMessageContaining("-Dgleaner.entries.allow=");
              });
    }
    assertThat(Tripwire.READ).hasValue(before);
  }

  @Test
  void whatNobodyCouldReadBackIsNotWritten() {
    assertThatThrownBy(() -> EntryCodec.encode(new AnyEntry("a", new Part("in", new Tripwire()))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("could not be read back, so it is not written")
        .hasMessageContaining("hostile.Tripwire")
        .hasMessageContaining("-Dgleaner.entries.allow=");
  }

  @Test
  void theDeclarationOfAFieldSaysWhatItMayHold() throws Exception {
    assertThat(allowed("declared")).contains("hostile").doesNotContain("io.gleaner.matching");
    assertThat(allowed("argument")).contains("hostile", "io.gleaner.matching");
    assertThat(allowed("elements")).contains("hostile", "io.gleaner.matching");
    assertThat(allowed("open")).contains("io.gleaner.matching").doesNotContain("hostile");
    Declaring entry = new Declaring();
    entry.declared = new Tripwire();
    Declaring read = (Declaring) EntryCodec.decode(EntryCodec.encode(entry), CLASSES);
    assertThat(read.declared).isNotNull();
  }

  private static Set<String> allowed(String field) throws NoSuchFieldException {
    return AllowedClasses.of(Declaring.class.getField(field), Declaring.class);
  }

  @Test
  void aProgramMayAllowMore() throws Exception {
    // "hostile" stays refused for the tests beside this one: it is a class that is named here.
    System.setProperty(AllowedClasses.PROPERTY, "org.example, java.net.URL,");
    try {
      assertThat(allowed("open")).contains("org.example", "java.net.URL").doesNotContain("");
    } finally {
      System.clearProperty(AllowedClasses.PROPERTY);
    }
    assertThat(allowed("open")).doesNotContain("org.example");
  }

  @Test
  void whatIsNotSerialisableIsRefusedWithItsClass() {
    for (Object value : List.of(new Object(), List.of(new Object()), new Part("p", new Object()))) {
      assertThatThrownBy(() -> EntryCodec.encode(new AnyEntry("a", value)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("not serialisable is java.lang.Object");
    }
    Part deep = new Part("end", null);
    for (int i = 0; i < 100_000; i++) {
      deep = new Part("link", deep);
    }
    Part tooDeep = deep;
    assertThatThrownBy(() -> bytes(tooDeep)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aChainOfObjectsMayBeLong() throws Exception {
    Part chain = new Part("end", null);
    for (int i = 0; i < 90; i++) {
      chain = new Part("link", chain);
    }
    assertThat(returned(chain)).isEqualTo(chain);
  }

  @Test
  @Tag("S4")
  void damagedBytesAreAnErrorOrAValueOfWhatWasDeclared() {
    long seed = Long.getLong("gleaner.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int before = Tripwire.READ.get();
    byte[] whole = bytes(new Part("p", new ArrayList<>(List.of(1, "x", new Part("q", 2L)))));
    for (int i = 0; i < 5_000; i++) {
      byte[] bytes = Arrays.copyOf(whole, 1 + random.nextInt(whole.length));
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      try {
        decoded(bytes);
      } catch (UnusableEntryException expected) {
        assertThat(expected.unusableFields).containsExactly("value");
      }
    }
    assertThat(Tripwire.READ).hasValue(before);
  }

  @Test
  @Tag("S4")
  void nothingSerialisedIsReadInsideOfAnotherValue() {
    byte[] inner = bytes(new Part("p", null));
    byte[] hostile = new byte[inner.length + 2];
    hostile[0] = (byte) io.gleaner.matching.Tag.LIST.code;
    hostile[1] = 1;
    System.arraycopy(inner, 0, hostile, 2, inner.length);
    assertThatThrownBy(() -> decoded(hostile)).isInstanceOf(UnusableEntryException.class);
  }

  @Test
  @Tag("S4")
  void entriesOfTheMarketAreNeitherWrittenNorReadSerialised() {
    TaskEntry task = new TaskEntry();
    task.parameters = new HashMap<>() {};
    assertThatThrownBy(() -> EntryCodec.encode(task))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("parameters");

    EncodedEntry result = EntryCodec.encode(new ResultEntry());
    byte[] serialised = bytes(new Part("not even this", null));
    assertThat(serialised[0]).isEqualTo((byte) io.gleaner.matching.Tag.SERIALISED.code);
    for (int field = 0; field < result.fields().length; field++) {
      byte[][] fields = new byte[result.fields().length][];
      fields[field] = serialised;
      assertThatThrownBy(() -> EntryCodec.decode(new EncodedEntry(result.type(), fields), CLASSES))
          .isInstanceOfSatisfying(
              UnusableEntryException.class,
              e ->
                  assertThat(e.nestedExceptions[0])
                      .hasMessage("serialised values are not read here"));
    }
  }

  private static Object returned(Object value) throws UnusableEntryException {
    return ((AnyEntry) EntryCodec.decode(EntryCodec.encode(new AnyEntry("a", value)), CLASSES))
        .value;
  }

  /** As a client would write it that does not look whether it can be read. */
  private static byte[] bytes(Object value) {
    return SerialisedField.write(value);
  }

  private static Object decoded(byte[] bytes) throws UnusableEntryException {
    EncodedEntry whole = EntryCodec.encode(new AnyEntry("a", 1));
    EncodedEntry hostile = new EncodedEntry(whole.type(), new byte[][] {whole.fields()[0], bytes});
    return ((AnyEntry) EntryCodec.decode(hostile, CLASSES)).value;
  }
}
