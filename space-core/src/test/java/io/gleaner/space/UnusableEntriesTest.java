package io.gleaner.space;

import static net.jini.core.lease.Lease.FOREVER;
import static net.jini.space.JavaSpace.NO_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import javax.tools.ToolProvider;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;
import net.jini.entry.UnusableEntriesException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Entry specification, EN.1.4 and EN.1.5: classes that the node never had, and classes that are
 * missing or other where an entry is read. Each program has a class loader of its own.
 */
@Timeout(120)
@SuppressWarnings("unchecked") // JavaSpace05 is older than generics
class UnusableEntriesTest {
  private static final String SHAPE =
      "package evolving; public class Shape implements net.jini.core.entry.Entry {"
          + " public String name; public Object part; %s public Shape() {} }";
  private static final String PART = "package evolving; public enum Part { WHEEL }";
  private static final String SERIALISABLE_PART =
      "package evolving; public class Part implements java.io.Serializable {"
          + " private static final long serialVersionUID = %d; public String size; %s }";

  @TempDir static Path folder;
  private static HazelcastSpace engine;
  private static ClassLoader first;
  private static ClassLoader withMoreFields;
  private static ClassLoader withoutPart;
  private static ClassLoader withoutAny;

  @BeforeAll
  static void programsWithOtherClasses() throws Exception {
    engine = HazelcastSpace.start(SpaceSettings.defaults());
    first = compiled("first", SHAPE.formatted(""), PART);
    withMoreFields = compiled("more", SHAPE.formatted("public Integer sides;"), PART);
    withoutPart = compiled("partless", SHAPE.formatted(""));
    withoutAny = compiled("none");
  }

  @AfterAll
  static void stopMember() {
    engine.close();
  }

  @Test
  void en1_5_whatTheNodeHasNoClassForIsStoredAndMatched() throws Exception {
    try (TupleSpace space = open("unknown")) {
      space.write(shape(first, "a"), null, FOREVER);
      assertThat(space.read(shape(first, "b"), null, NO_WAIT)).isNull();
      Entry taken = space.take(shape(first, "a"), null, NO_WAIT);
      assertThat(taken.getClass()).isEqualTo(first.loadClass("evolving.Shape"));
    }
  }

  @Test
  void en1_4_anEntryWhoseClassIsMissingIsUnusableAsAWhole() throws Exception {
    try (TupleSpace space = open("missing")) {
      space.write(shape(first, "a"), null, FOREVER);
      UnusableEntryException unusable =
          unusable(() -> in(withoutAny, () -> space.take(null, null, NO_WAIT)));
      assertThat(unusable.partialEntry).isNull();
      assertThat(unusable.unusableFields).isNull();
      assertThat(unusable.nestedExceptions).hasSize(1);
      assertThat(unusable.nestedExceptions[0]).isInstanceOf(ClassNotFoundException.class);
      assertThat(space.read(null, null, NO_WAIT)).as("JS.2.5: the take removed it").isNull();
    }
  }

  @Test
  void en1_4_aFieldWhoseClassIsMissingLeavesTheOthersUsable() throws Exception {
    try (TupleSpace space = open("field")) {
      Entry whole = shape(first, "a");
      Object part = first.loadClass("evolving.Part").getEnumConstants()[0];
      whole.getClass().getField("part").set(whole, part);
      space.write(whole, null, FOREVER);
      UnusableEntryException unusable =
          unusable(() -> in(withoutPart, () -> space.read(null, null, NO_WAIT)));
      Entry partial = unusable.partialEntry;
      assertThat(partial.getClass().getField("name").get(partial)).isEqualTo("a");
      assertThat(partial.getClass().getField("part").get(partial)).isNull();
      assertThat(unusable.unusableFields).containsExactly("part");
      assertThat(unusable.nestedExceptions).hasSize(1);
      assertThat(space.take(shape(first, "a"), null, NO_WAIT)).as("only read").isNotNull();
    }
  }

  @Test
  void js2_12_aBatchTakeNamesWhatCannotBeUsedAndReturnsTheRest() throws Exception {
    try (TupleSpace space = open("batch")) {
      space.write(shape(first, "a"), null, FOREVER);
      space.write(new Note("b", 1), null, FOREVER);
      List<Entry> anything = new ArrayList<>();
      anything.add(null);
      assertThatThrownBy(() -> in(withoutAny, () -> space.take(anything, null, NO_WAIT, 10)))
          .isInstanceOfSatisfying(
              UnusableEntriesException.class,
              e -> {
                assertThat(e.getEntries()).hasSize(1);
                assertThat(e.getUnusableEntryExceptions()).hasSize(1);
              });
      assertThat(space.read(null, null, NO_WAIT)).isNull();
    }
  }

  @Test
  void twoVersionsOfAClassWithOtherFieldsDoNotMeet() throws Exception {
    try (TupleSpace space = open("versions")) {
      space.write(shape(first, "a"), null, FOREVER);
      assertThat(space.take(shape(withMoreFields, null), null, NO_WAIT)).isNull();
      space.write(shape(withMoreFields, "b"), null, FOREVER);
      assertThat(space.take(shape(first, "b"), null, NO_WAIT)).isNull();
      assertThat(space.take(shape(first, null), null, NO_WAIT)).isNotNull();
      assertThat(space.read(shape(first, null), null, NO_WAIT)).isNull();
      UnusableEntryException unusable =
          unusable(() -> in(first, () -> space.read(null, null, NO_WAIT)));
      assertThat(unusable.nestedExceptions[0]).hasMessageContaining("sides");
      assertThat(space.take(shape(withMoreFields, "b"), null, NO_WAIT)).isNotNull();
    }
  }

  @Test
  void en1_4_aSerialisableValueIsUsableAsLongAsItsVersionSaysSo() throws Exception {
    ClassLoader one = compiled("one", SHAPE.formatted(""), SERIALISABLE_PART.formatted(1, ""));
    ClassLoader grown =
        compiled("grown", SHAPE.formatted(""), SERIALISABLE_PART.formatted(1, "public String b;"));
    ClassLoader other = compiled("other", SHAPE.formatted(""), SERIALISABLE_PART.formatted(2, ""));
    try (TupleSpace space = open("serialisable")) {
      Object part = one.loadClass("evolving.Part").getConstructor().newInstance();
      part.getClass().getField("size").set(part, "large");
      Entry whole = shape(one, "a");
      whole.getClass().getField("part").set(whole, part);
      space.write(whole, null, FOREVER);

      Entry read = in(grown, () -> space.read(null, null, NO_WAIT));
      Object grew = read.getClass().getField("part").get(read);
      assertThat(grew.getClass().getField("size").get(grew)).isEqualTo("large");
      assertThat(grew.getClass().getField("b").get(grew)).isNull();

      for (ClassLoader program : List.of(other, withoutPart)) {
        UnusableEntryException unusable =
            unusable(() -> in(program, () -> space.read(null, null, NO_WAIT)));
        assertThat(unusable.unusableFields).containsExactly("part");
        assertThat(unusable.nestedExceptions[0]).hasMessageContaining("evolving.Part");
        Entry partial = unusable.partialEntry;
        assertThat(partial.getClass().getField("name").get(partial)).isEqualTo("a");
      }
    }
  }

  private static TupleSpace open(String name) throws Exception {
    return SpaceClient.open(engine, name, "test");
  }

  private static Entry shape(ClassLoader program, String name) throws Exception {
    Class<?> shape = program.loadClass("evolving.Shape");
    Entry entry = (Entry) shape.getConstructor().newInstance();
    shape.getField("name").set(entry, name);
    return entry;
  }

  private static <T> T in(ClassLoader program, Callable<T> work) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(program);
    try {
      return work.call();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static UnusableEntryException unusable(Callable<Entry> operation) {
    try {
      Entry entry = operation.call();
      throw new AssertionError("usable: " + entry);
    } catch (UnusableEntryException e) {
      return e;
    } catch (Exception e) {
      throw new AssertionError("another failure", e);
    }
  }

  private static ClassLoader compiled(String program, String... sources) throws IOException {
    Path out = Files.createDirectories(folder.resolve(program).resolve("classes"));
    List<String> arguments =
        new ArrayList<>(
            List.of("-d", out.toString(), "-cp", System.getProperty("java.class.path")));
    for (int i = 0; i < sources.length; i++) {
      String name = sources[i].contains(" Part ") ? "Part" : "Shape";
      Path file = folder.resolve(program).resolve(name + ".java");
      Files.writeString(file, sources[i]);
      arguments.add(file.toString());
    }
    if (sources.length > 0) {
      int status =
          ToolProvider.getSystemJavaCompiler()
              .run(null, null, null, arguments.toArray(String[]::new));
      assertThat(status).isZero();
    }
    return new URLClassLoader(
        new URL[] {out.toUri().toURL()}, UnusableEntriesTest.class.getClassLoader());
  }
}
