package io.gleaner.api.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import org.junit.jupiter.api.Test;

/** Which classes travel with a class. */
class ClassClosureTest {

  static final class Start {
    Inner inner() {
      return new Inner(new Deeper[1][2]);
    }
  }

  record Inner(Deeper[][] deeper) {}

  static final class Deeper {
    private Unused field;

    Unused field() {
      return field;
    }
  }

  static final class Unused {}

  @Test
  void aClassTravelsWithAllThatItRefersToButTheJdkAndGleaner() throws IOException {
    ClassClosure closure = new ClassClosure().and(List.of(Start.class));
    String here = "io/gleaner/api/calls/";
    // Test classes lie in the API's package, which every launcher has: nothing of it travels.
    assertThat(namesIn(closure.jar())).noneMatch(name -> name.startsWith(here));

    ClassClosure theirs = new ClassClosure().and(List.of(org.awaitility.Awaitility.class));
    assertThat(namesIn(theirs.jar()))
        .contains("org/awaitility/Awaitility.class", "org/awaitility/core/ConditionFactory.class")
        .noneMatch(name -> name.startsWith("java/"));
  }

  @Test
  void theSameClassesGiveTheSameBytesAndNothingNewGivesTheSameClosure() {
    ClassClosure first = new ClassClosure().and(List.of(org.awaitility.Awaitility.class));
    ClassClosure again = new ClassClosure().and(List.of(org.awaitility.Awaitility.class));
    assertThat(again.jar()).isEqualTo(first.jar());
    assertThat(first.and(List.of(org.awaitility.core.ConditionFactory.class, int[].class)))
        .isSameAs(first);
  }

  @Test
  void aClassFileNamesTheTypesOfItsFieldsMethodsAndCode() throws IOException {
    assertThat(referredFrom(Start.class)).contains(name(Inner.class), name(Deeper.class));
    assertThat(referredFrom(Deeper.class)).contains(name(Unused.class), "java/lang/Object");
  }

  private static Set<String> referredFrom(Class<?> type) throws IOException {
    try (var in = type.getResourceAsStream("/" + name(type) + ".class")) {
      return ClassFile.referredFrom(in.readAllBytes());
    }
  }

  private static String name(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  private static Set<String> namesIn(byte[] jar) throws IOException {
    Set<String> names = new TreeSet<>();
    try (JarInputStream in = new JarInputStream(new ByteArrayInputStream(jar))) {
      for (JarEntry entry = in.getNextJarEntry(); entry != null; entry = in.getNextJarEntry()) {
        names.add(entry.getName());
      }
    }
    return names;
  }
}
