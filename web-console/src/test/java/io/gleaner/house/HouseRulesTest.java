package io.gleaner.house;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import io.gleaner.matching.CanonicalOnly;
import io.gleaner.matching.EntryCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jini.core.entry.Entry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The house of architecture and style: who may know whom, and what the pure rooms may not touch.
 */
@Timeout(120)
class HouseRulesTest {
  private static final String[] SECURITY =
      rooms("audit authority enrolment identity limits secrets signing sql tls");
  private static final String[] SPACE =
      rooms(
          "space matching deserialising leasing transaction notification storage blob gateway jini"
              + " tuple api lifecycle wording");
  private static final String[] MARKET =
      rooms(
          "book mechanism fairshare placement bag description notice workflow prediction ledger"
              + " verification maker lab");
  private static final String[] LAUNCHER = rooms("idle policy sandbox puller cache status");
  private static final String[] CONSOLE =
      rooms("node http rest live pages signin volunteer cli bench");

  private static JavaClasses ours;

  @BeforeAll
  static void read() {
    ours =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.gleaner");
  }

  @Test
  void dependenciesPointOneWay() {
    mayNotKnow(SECURITY, SPACE, MARKET, LAUNCHER, CONSOLE);
    mayNotKnow(SPACE, MARKET, LAUNCHER, CONSOLE);
    mayNotKnow(MARKET, LAUNCHER, CONSOLE);
    mayNotKnow(LAUNCHER, MARKET, CONSOLE);
  }

  @Test
  void theConsoleKnowsOfALauncherOnlyItsPublicEntry() {
    noClasses()
        .that()
        .resideInAnyPackage(CONSOLE)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(rooms("idle policy sandbox cache status"))
        .check(ours);
  }

  @Test
  void decisionsTouchNoClockNoThreadNoStorage() {
    noClasses()
        .that()
        .resideInAnyPackage(rooms("book mechanism fairshare placement prediction"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.util.concurrent..",
            "java.io..",
            "java.nio..",
            "java.sql..",
            "javax.sql..",
            "java.net..",
            "com.hazelcast..",
            "io.vertx..",
            "net.jini..")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Thread.class)
        .check(ours);
    for (String room : rooms("book mechanism fairshare placement prediction")) {
      readsNoClock(room);
    }
  }

  @Test
  void nobodyReadsTheWallClockBehindTheBackOfAnInjectedOne() {
    noClasses()
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .check(ours);
  }

  @Test
  @Tag("S4")
  void nothingDeserialisesJavaObjectsButTheJiniRoomAndTheRoomForIt() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.gleaner.jini..", "io.gleaner.deserialising")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(java.io.ObjectInputStream.class)
        .orShould()
        .callMethod(java.rmi.MarshalledObject.class, "get")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo("net.jini.io.MarshalledInstance")
        .check(ours);
  }

  /** A program reads its entries and its results, and a child its call; a node reads none. */
  @Test
  @Tag("S4")
  void onlyClientsAndTheChildOfATaskDeserialise() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.gleaner.deserialising", "io.gleaner.api.calls")
        .and()
        .doNotHaveFullyQualifiedName("io.gleaner.matching.SerialisedField")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.gleaner.deserialising")
        .check(ours);
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("io.gleaner.space.SpaceClient")
        .and()
        .doNotHaveFullyQualifiedName("io.gleaner.space.Listing")
        .and()
        .doNotHaveFullyQualifiedName("io.gleaner.space.EntryAvailable")
        .should()
        .callMethodWhere(target(owner(type(EntryCodec.class))).and(target(nameMatching("decode"))))
        .check(ours);
  }

  /** The node and the launchers are clients of the market: what they read is never deserialised. */
  @Test
  @Tag("S4")
  void entriesOfTheMarketHaveCanonicalValuesOnly() {
    classes()
        .that()
        .resideInAPackage("io.gleaner.tuple")
        .and()
        .areAssignableTo(Entry.class)
        .should()
        .beAnnotatedWith(CanonicalOnly.class)
        .check(ours);
  }

  /** Replicas must say the same: the order of a hash differs from one process to the next. */
  @Test
  @Tag("F1")
  void cellsOfTheSpaceDependOnNoOrderOfAHash() {
    noClasses()
        .that()
        .resideInAnyPackage("io.gleaner.space.core..", "io.gleaner.transaction..")
        .or()
        .haveFullyQualifiedName("io.gleaner.matching.Postings")
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java.util.(HashMap|HashSet|IdentityHashMap|WeakHashMap|Random)")
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage("java.util.concurrent..")
        .orShould()
        .callMethodWhere(
            target(owner(type(Set.class).or(type(Map.class))))
                .and(target(nameMatching("of|copyOf|ofEntries"))))
        .orShould()
        .callMethodWhere(
            target(owner(type(Collectors.class)))
                .and(target(nameMatching("to(Set|Map)|grouping.*"))))
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "identityHashCode", Object.class)
        .check(ours);
  }

  @Test
  void packagesHaveNoCycles() {
    SlicesRuleDefinition.slices()
        .matching("io.gleaner.(*)..")
        .should()
        .beFreeOfCycles()
        .check(ours);
  }

  @Test
  void roomsAreNamedAfterWhatHappensThere() {
    Pattern empty =
        Pattern.compile(".*[.](utils?|common|helpers?|managers?|impl|dto|services?|misc)([.].*)?");
    assertThat(packages()).isNotEmpty().noneMatch(name -> empty.matcher(name).matches());
    assertThat(packages().stream().map(name -> name.split("[.]")[2]).collect(Collectors.toSet()))
        .isSubsetOf(
            Stream.of(SECURITY, SPACE, MARKET, LAUNCHER, CONSOLE)
                .flatMap(Stream::of)
                .map(room -> room.split("[.]")[2])
                .collect(Collectors.toSet()));
  }

  @Test
  void everyPackageSaysWhatItIs() throws IOException {
    Path root = Path.of("").toAbsolutePath().getParent();
    for (String module :
        List.of("security", "space-core", "market-maker", "worker-launcher", "web-console")) {
      Path sources = root.resolve(module).resolve("src/main/java");
      try (Stream<Path> files = Files.walk(sources)) {
        Set<Path> folders =
            files
                .filter(file -> file.toString().endsWith(".java"))
                .map(Path::getParent)
                .collect(Collectors.toSet());
        assertThat(folders)
            .isNotEmpty()
            .allMatch(folder -> Files.exists(folder.resolve("package-info.java")));
      }
    }
  }

  private static void readsNoClock(String room) {
    noClasses()
        .that()
        .resideInAPackage(room)
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Clock.class)
        .allowEmptyShould(true)
        .check(ours);
  }

  private static void mayNotKnow(String[] rooms, String[]... others) {
    noClasses()
        .that()
        .resideInAnyPackage(rooms)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(Stream.of(others).flatMap(Stream::of).toArray(String[]::new))
        .check(ours);
  }

  private static Set<String> packages() {
    Set<String> names = new TreeSet<>();
    for (JavaClass each : ours) {
      JavaPackage of = each.getPackage();
      names.add(of.getName());
    }
    return names;
  }

  private static String[] rooms(String names) {
    return Stream.of(names.split(" "))
        .map(name -> "io.gleaner." + name + "..")
        .toArray(String[]::new);
  }
}
