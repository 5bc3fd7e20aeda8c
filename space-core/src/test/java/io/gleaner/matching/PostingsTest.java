package io.gleaner.matching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The posting lists find what looking at every entry finds, in the same order. */
@Timeout(60)
class PostingsTest {
  private static final int FIELDS = 7;
  private static final EntryType TYPE =
      new EntryType("Seven", List.of(), List.of("a", "b", "c", "d", "e", "f", "g"), -1);

  @Test
  void theyFindWhatANaiveScanFinds() {
    long seed = Long.getLong("gleaner.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    Postings<EncodedEntry> postings = new Postings<>(entry -> entry, random.nextLong());
    NavigableMap<Long, EncodedEntry> all = new TreeMap<>();
    for (long number = 0; number < 20_000; number++) {
      if (random.nextInt(3) > 0 || all.isEmpty()) {
        EncodedEntry entry = filled(random, 0);
        postings.add(number, entry);
        all.put(number, entry);
      } else {
        Long gone = all.ceilingKey((long) random.nextInt(all.lastKey().intValue() + 1));
        postings.remove(gone);
        all.remove(gone);
      }
      if (number % 20 == 0) {
        compare(postings, all, filled(random, 3));
      }
    }
    assertThat(postings.size()).isEqualTo(all.size());
    all.keySet().forEach(postings::remove);
    assertThat(postings.candidates(filled(random, 3))).isEmpty();
  }

  private static void compare(
      Postings<EncodedEntry> postings,
      NavigableMap<Long, EncodedEntry> all,
      EncodedEntry template) {
    List<Long> naive =
        all.entrySet().stream()
            .filter(e -> template.matches(e.getValue()))
            .map(e -> e.getKey())
            .toList();
    List<Long> found =
        postings.candidates(template).entrySet().stream()
            .filter(e -> template.matches(e.getValue()))
            .map(e -> e.getKey())
            .toList();
    assertThat(found).isEqualTo(naive);
  }

  @Test
  void aTemplateOfTwoFieldsDoesNotSeeWhatMatchesOnlyOne() {
    Postings<EncodedEntry> postings = new Postings<>(entry -> entry, 42);
    for (long i = 0; i < 1_000; i++) {
      byte[][] fields = new byte[FIELDS][];
      fields[(int) (i % 2)] = new byte[] {1};
      postings.add(i, new EncodedEntry(TYPE, fields));
    }
    byte[][] both = new byte[FIELDS][];
    both[0] = new byte[] {1};
    both[1] = new byte[] {1};
    assertThat(postings.candidates(new EncodedEntry(TYPE, both))).isEmpty();
  }

  /** Each field one of three values, or null with the given weight against them. */
  private static EncodedEntry filled(Random random, int nulls) {
    byte[][] fields = new byte[FIELDS][];
    for (int i = 0; i < FIELDS; i++) {
      int value = random.nextInt(3 + nulls);
      fields[i] = value < 3 ? new byte[] {(byte) value} : null;
    }
    return new EncodedEntry(TYPE, fields);
  }
}
