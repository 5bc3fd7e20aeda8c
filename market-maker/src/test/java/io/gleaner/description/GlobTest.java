package io.gleaner.description;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns of file names mean what the platform's globs mean, and never take long. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GlobTest {
  private static final List<String> CLASSES =
      List.of("[ab]", "[a-c]", "[!a]", "[!-b]", "[-a]", "[a-]", "[^a]", "[!a-b.]", "[*?{,]");

  @ParameterizedTest
  @CsvSource({
    "inputs/*.txt, inputs/a.txt, true",
    "inputs/*.txt, inputs/more/a.txt, false",
    "**/*.txt, inputs/more/a.txt, true",
    "**.txt, a.txt, true",
    "a?c, a/c, false",
    "a?c, a\uD83D\uDE00c, true",
    "[!a]bc, /bc, false",
    "tile-[0-9].png, tile-7.png, true",
    "'{in,out}/*', out/x, true",
    "'{in,out}/*', inout/x, false",
    "'x{,.bak}', x, true",
    "a.b, axb, false"
  })
  void aPatternMatchesTheWholeName(String pattern, String name, boolean matches) {
    assertThat(Glob.of(pattern).matches(name)).isEqualTo(matches);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{a", "{a,{b}}", "[a", "[]", "[!]", "[b-a]", "[a/b]", "x{a,[b}"})
  void whatIsNoPatternIsRefused(String pattern) {
    assertThatThrownBy(() -> Glob.of(pattern)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void patternsMeanWhatThePlatformsMean() {
    Random random = seeded();
    for (int round = 0; round < 5_000; round++) {
      String pattern =
          random
              .ints(1 + random.nextInt(7), 0, 10)
              .mapToObj(kind -> part(kind, random))
              .collect(Collectors.joining());
      PathMatcher platform = platform(pattern);
      Glob glob = Glob.of(pattern);
      for (int probe = 0; probe < 10; probe++) {
        String name = name(random);
        assertThat(glob.matches(name))
            .as("%s matches %s", pattern, name)
            .isEqualTo(platform.matches(Path.of(name)));
      }
    }
  }

  @Test
  void whatThePlatformRefusesIsRefused() {
    Random random = seeded();
    for (int round = 0; round < 5_000; round++) {
      String pattern = letters(random, "a{},*", random.nextInt(7));
      boolean refused = false;
      try {
        platform(pattern);
      } catch (PatternSyntaxException e) {
        refused = true;
      }
      try {
        Glob.of(pattern);
        assertThat(refused).as(pattern).isFalse();
      } catch (IllegalArgumentException e) {
        assertThat(refused).as(pattern).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"*a", "**a", "{a,aa}*", "*{a,aa,aaa}", "*?", "{,a}"})
  @Tag("S3")
  void aHostilePatternTakesItsLengthTimesTheNames(String part) {
    String pattern = part.repeat(40) + "b";
    String name = "a".repeat(240) + "c";
    assertThat(Glob.of(pattern).matches(name)).isFalse();

    TaskExpansion.Contents none =
        digest -> {
          throw new AssertionError("nothing is read");
        };
    BagDescription bag = bag(List.of("'" + pattern + "'"));
    assertThatThrownBy(() -> TaskExpansion.of(bag, Map.of(name, "digest"), none))
        .isInstanceOf(DescriptionException.class)
        .hasMessageContaining("no file that was handed in matches");
  }

  @Test
  @Tag("S3")
  void patternsThatCostTooMuchTogetherAreRefused() {
    Map<String, String> files = new TreeMap<>();
    for (int i = 0; i < 5000; i++) {
      files.put("a".repeat(200) + i + "b", "digest");
    }
    BagDescription bag =
        bag(
            IntStream.range(0, 100)
                .mapToObj(i -> "'" + "*a".repeat(100) + "0b'")
                .collect(Collectors.toList()));
    assertThatThrownBy(() -> TaskExpansion.of(bag, files, digest -> null))
        .isInstanceOf(DescriptionException.class)
        .hasMessageContaining("write fewer or plainer patterns")
        .extracting(e -> ((DescriptionException) e).code())
        .isEqualTo(DescriptionException.Code.LIMIT);
  }

  private static BagDescription bag(List<String> patterns) {
    String parameters =
        IntStream.range(0, patterns.size())
            .mapToObj(i -> "  p" + i + ": {files: " + patterns.get(i) + "}\n")
            .collect(Collectors.joining());
    return BagParser.parse("name: n\nbundle: a.jar\nentry_point: a.B\nparameters:\n" + parameters);
  }

  private static PathMatcher platform(String pattern) {
    return FileSystems.getDefault().getPathMatcher("glob:" + pattern);
  }

  private static String part(int kind, Random random) {
    return switch (kind) {
      case 0, 1 -> "*";
      case 2 -> "?";
      case 3 -> "**";
      case 4 -> "/";
      case 5 -> CLASSES.get(random.nextInt(CLASSES.size()));
      case 6, 7 ->
          Stream.generate(() -> part(random.nextInt(6), random) + letters(random, "ab", 1))
              .limit(1 + random.nextInt(3))
              .collect(Collectors.joining(",", "{", random.nextBoolean() ? ",}" : "}"));
      default -> letters(random, "ab.", 1 + random.nextInt(2));
    };
  }

  /** A name without an empty folder: the platform leaves those out. */
  private static String name(Random random) {
    return letters(random, "aab.c/-^!", random.nextInt(9)).replaceAll("^/+|/+$|/(?=/)", "");
  }

  private static String letters(Random random, String from, int count) {
    return random
        .ints(count, 0, from.length())
        .mapToObj(i -> from.substring(i, i + 1))
        .collect(Collectors.joining());
  }

  private static Random seeded() {
    long seed = Long.getLong("gleaner.seed", System.nanoTime());
    System.out.println("GlobTest gleaner.seed=" + seed);
    return new Random(seed);
  }
}
