package io.gleaner.wording;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds what somebody meant to write, by edit distance. */
public final class NearestName {
  private NearestName() {}

  /**
   * The known name at a distance of at most a third of the word's length, rounded up, nearest
   * first.
   */
  public static Optional<String> of(String word, Collection<String> known) {
    String lower = word.toLowerCase(Locale.ROOT);
    int most = (Math.min(word.length(), 30) + 2) / 3;
    return known.stream()
        .filter(name -> Math.abs(name.length() - word.length()) <= most)
        .filter(name -> distance(lower, name) <= most)
        .min(
            Comparator.comparingInt((String name) -> distance(lower, name))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Levenshtein's distance. */
  private static int distance(String a, String b) {
    int[] above = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = above[0];
      above[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = above[j];
        above[j] = Math.min(substituted, Math.min(above[j], above[j - 1]) + 1);
      }
    }
    return above[b.length()];
  }
}
