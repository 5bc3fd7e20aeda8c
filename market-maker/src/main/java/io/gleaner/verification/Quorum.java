package io.gleaner.verification;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides from a task's claims alone whether enough of them agree. Pure, so that the same claims
 * give the same verdict and the same pay again.
 *
 * <p>Copies are asked for in rounds. The first has as many as must agree; each next has as many as
 * are missing to make the largest group of equal results large enough. A round is judged when all
 * of its copies have answered.
 */
final class Quorum {

  /** What the claims amount to. */
  sealed interface Verdict {}

  /**
   * Enough agree.
   *
   * @param members those that agree, by replica
   */
  record Agreed(List<Claim> members) implements Verdict {

    /** Work that each member is paid for: the lowest claim among them. */
    long microUnits() {
      return members.stream().mapToLong(Claim::microUnits).min().orElse(0);
    }
  }

  /**
   * Not decided.
   *
   * @param replicas copies that must have been asked for, answered or not
   */
  record Open(int replicas) implements Verdict {}

  /** All copies that may be asked for have answered and too few agree. */
  record Disagreed(int replicas, int answers) implements Verdict {}

  private final int equal;
  private final int most;

  /**
   * A quorum of so many equal results.
   *
   * @param extra copies that may be added when results disagree
   */
  Quorum(int equal, int extra) {
    this.equal = equal;
    this.most = equal + extra;
  }

  /** Copies that can be asked for at most; there is no replica of this number or above. */
  int most() {
    return most;
  }

  /** The verdict on the claims of one task, at most one for each replica. */
  Verdict decide(List<Claim> claims) {
    int asked = equal;
    while (true) {
      Map<String, List<Claim>> groups = groups(claims, asked);
      List<Claim> largest = List.of();
      int answered = 0;
      for (List<Claim> group : groups.values()) {
        answered += group.size();
        largest = group.size() > largest.size() ? group : largest;
      }
      if (answered < asked) {
        return new Open(asked);
      }
      if (largest.size() >= equal) {
        return new Agreed(List.copyOf(largest));
      }
      if (asked == most) {
        return new Disagreed(asked, groups.size());
      }
      asked = Math.min(most, asked + equal - largest.size());
    }
  }

  private static Map<String, List<Claim>> groups(List<Claim> claims, int asked) {
    Map<String, List<Claim>> groups = new LinkedHashMap<>();
    claims.stream()
        .filter(claim -> claim.replica() < asked)
        .sorted((a, b) -> Integer.compare(a.replica(), b.replica()))
        .forEach(c -> groups.computeIfAbsent(c.outputDigest(), d -> new ArrayList<>()).add(c));
    return groups;
  }
}
