package io.gleaner.description;

import java.util.ArrayList;
import java.util.List;

/**
 * A pattern of file names, docs/bag-format.md: {@code *} and {@code ?} stay within a folder, {@code
 * **} does not, {@code [a-z]}, {@code [!a-z]}, and {@code {one,other}} without a group inside. It
 * never goes back in the name: a name costs at most its length times the pattern's. Immutable.
 */
public final class Glob {
  private static final int END = -1;

  /** One step through a name; where several are possible, all are taken at once. */
  private sealed interface Step {}

  /** Takes one character of the set. */
  private record One(Characters characters) implements Step {}

  /** Takes any number of characters of the set. */
  private record Many(Characters characters) implements Step {}

  /** Takes none, and goes on at each of the places. */
  private record Fork(List<Integer> places) implements Step {}

  @FunctionalInterface
  private interface Characters {
    boolean has(int codePoint);
  }

  /**
   * What the patterns of one description may still cost; not for sharing between threads.
   *
   * <p>One pattern over a hundred thousand names takes about a twentieth of it.
   */
  public static final class Work {
    private static final long MOST = 100_000_000;

    private long left = MOST;

    private void takes(int steps) {
      left -= steps;
      if (left < 0) {
        throw new DescriptionException(
            DescriptionException.Code.LIMIT,
            "its patterns take too long to hold against the names of all files that were handed"
                + " in; write fewer or plainer patterns, or hand in fewer files");
      }
    }
  }

  private final List<Step> steps;

  private Glob(List<Step> steps) {
    this.steps = List.copyOf(steps);
  }

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException if it is none; the message says why, as part of a sentence
   */
  public static Glob of(String pattern) {
    return new Glob(new Reader(pattern).read());
  }

  /** Whether the name, with {@code /} between its folders, matches as a whole. */
  public boolean matches(String name) {
    return matches(name, new Work());
  }

  /**
   * As above, and what it costs is taken from the work that is left.
   *
   * @throws DescriptionException if none is left
   */
  public boolean matches(String name, Work work) {
    work.takes(1 + steps.size() / 8);
    Places now = new Places();
    Places next = new Places();
    now.add(0);
    for (int at = 0; at < name.length() && now.size > 0; ) {
      int codePoint = name.codePointAt(at);
      at += Character.charCount(codePoint);
      work.takes(now.size);
      next.clear();
      for (int i = 0; i < now.size; i++) {
        int place = now.places[i];
        Step step = place == steps.size() ? null : steps.get(place);
        if (step instanceof One one && one.characters().has(codePoint)) {
          next.add(place + 1);
        } else if (step instanceof Many many && many.characters().has(codePoint)) {
          next.add(place);
        }
      }
      Places before = now;
      now = next;
      next = before;
    }
    return now.has(steps.size());
  }

  /** Places in the pattern that the name so far leads to, each once. */
  private final class Places {
    private final int[] places = new int[steps.size() + 1];
    private final boolean[] known = new boolean[steps.size() + 1];
    private int size;

    void add(int place) {
      if (known[place]) {
        return;
      }
      known[place] = true;
      places[size++] = place;
      Step step = place == steps.size() ? null : steps.get(place);
      if (step instanceof Many) {
        add(place + 1);
      } else if (step instanceof Fork fork) {
        fork.places().forEach(this::add);
      }
    }

    boolean has(int place) {
      return known[place];
    }

    void clear() {
      for (int i = 0; i < size; i++) {
        known[places[i]] = false;
      }
      size = 0;
    }
  }

  private static final class Reader {
    private final int[] pattern;
    private final List<Step> steps = new ArrayList<>();
    private int at;

    Reader(String pattern) {
      this.pattern = pattern.codePoints().toArray();
    }

    List<Step> read() {
      while (at < pattern.length) {
        int codePoint = pattern[at++];
        if (codePoint == '{') {
          group();
        } else {
          single(codePoint);
        }
      }
      return steps;
    }

    private void group() {
      int fork = steps.size();
      List<Integer> begins = new ArrayList<>();
      List<Integer> ends = new ArrayList<>();
      steps.add(new Fork(List.of()));
      begins.add(steps.size());
      while (true) {
        if (at == pattern.length) {
          throw new IllegalArgumentException("a } is missing");
        }
        int codePoint = pattern[at++];
        if (codePoint == '}') {
          break;
        } else if (codePoint == '{') {
          throw new IllegalArgumentException("a { stands inside of another");
        } else if (codePoint == ',') {
          ends.add(steps.size());
          steps.add(new Fork(List.of()));
          begins.add(steps.size());
        } else {
          single(codePoint);
        }
      }
      ends.forEach(end -> steps.set(end, new Fork(List.of(steps.size()))));
      steps.set(fork, new Fork(begins));
    }

    private void single(int codePoint) {
      if (codePoint == '*') {
        boolean overFolders = next() == '*';
        at += overFolders ? 1 : 0;
        steps.add(new Many(each -> overFolders || each != '/'));
      } else if (codePoint == '?') {
        steps.add(new One(each -> each != '/'));
      } else if (codePoint == '[') {
        steps.add(new One(oneOf()));
      } else {
        steps.add(new One(each -> each == codePoint));
      }
    }

    /** What stands after a [, up to and with its ]. */
    private Characters oneOf() {
      boolean not = next() == '!';
      at += not ? 1 : 0;
      int begin = at;
      List<int[]> ranges = new ArrayList<>();
      while (next() != ']') {
        int first = inBrackets();
        boolean range = at > begin + 1 || first != '-';
        if (range && next() == '-' && at + 1 < pattern.length && pattern[at + 1] != ']') {
          at++;
          ranges.add(new int[] {first, inBrackets()});
        } else {
          ranges.add(new int[] {first, first});
        }
      }
      at++;
      if (ranges.isEmpty() || ranges.stream().anyMatch(range -> range[0] > range[1])) {
        throw new IllegalArgumentException("between [ and ] it needs characters or a range as a-z");
      }
      return each ->
          each != '/'
              && not == ranges.stream().noneMatch(range -> range[0] <= each && each <= range[1]);
    }

    private int inBrackets() {
      int codePoint = next();
      if (codePoint == END) {
        throw new IllegalArgumentException("a ] is missing");
      }
      if (codePoint == '/') {
        throw new IllegalArgumentException("a / stands between [ and ]");
      }
      at++;
      return codePoint;
    }

    private int next() {
      return at < pattern.length ? pattern[at] : END;
    }
  }
}
