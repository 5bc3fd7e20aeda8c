package io.gleaner.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.bag.TaskRegister;
import io.gleaner.ledger.Ledger.Settlement;
import io.gleaner.verification.Quorum.Agreed;
import io.gleaner.verification.Quorum.Disagreed;
import io.gleaner.verification.Quorum.Open;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class QuorumTest {

  @Test
  void aloneOneResultIsEnough() {
    assertThat(new Quorum(1, 3).decide(claims("a"))).isEqualTo(new Agreed(claims("a")));
  }

  @Test
  void copiesAreWaitedForUntilAllAnswered() {
    assertThat(new Quorum(3, 3).decide(claims("a", "a"))).isEqualTo(new Open(3));
    assertThat(new Quorum(3, 3).decide(claims("a", "a", "a"))).isInstanceOf(Agreed.class);
  }

  @Test
  void disagreementAsksForAsManyCopiesAsAreMissing() {
    Quorum quorum = new Quorum(2, 3);
    assertThat(quorum.decide(claims("a", "b"))).isEqualTo(new Open(3));
    assertThat(quorum.decide(claims("a", "b", "c"))).isEqualTo(new Open(4));
    assertThat(quorum.decide(claims("a", "b", "c", "d"))).isEqualTo(new Open(5));
    assertThat(quorum.decide(claims("a", "b", "c", "d", "e"))).isEqualTo(new Disagreed(5, 5));
    assertThat(quorum.decide(claims("a", "b", "b")))
        .isInstanceOfSatisfying(
            Agreed.class,
            agreed ->
                assertThat(agreed.members()).extracting(Claim::replica).containsExactly(1, 2));
  }

  @Test
  void copiesThatNobodyAskedForDoNotCount() {
    assertThat(new Quorum(2, 3).decide(List.of(claim(0, "a"), claim(4, "a"))))
        .isEqualTo(new Open(2));
  }

  @Test
  void whateverAnswersComeItEndsAndTheOrderDoesNotMatter() {
    long seed = Long.getLong("gleaner.seed", System.nanoTime());
    System.out.println("gleaner.seed=" + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      Quorum quorum = new Quorum(1 + random.nextInt(4), random.nextInt(5));
      List<Claim> claims = new ArrayList<>();
      while (quorum.decide(claims) instanceof Open open) {
        assertThat(open.replicas()).isGreaterThan(claims.size());
        claims.add(claim(claims.size(), "abc".substring(random.nextInt(3)).substring(0, 1)));
        java.util.Collections.shuffle(claims, random);
        assertThat(claims).as("seed %s", seed).hasSizeLessThanOrEqualTo(quorum.most());
      }
      List<Claim> shuffled = new ArrayList<>(claims);
      java.util.Collections.shuffle(shuffled, random);
      assertThat(quorum.decide(shuffled)).as("seed %s", seed).isEqualTo(quorum.decide(claims));
    }
  }

  @Test
  void allMembersArePaidTheLowestClaimAtTheirOwnPrice() {
    TaskRegister.Terms terms = new TaskRegister.Terms("alice", 2, 3, 10_000_000, Long.MAX_VALUE);
    Agreed agreed =
        new Agreed(List.of(priced(0, 2_000_000, 1_500_001), priced(1, 9_000_000, 1_000_000)));

    assertThat(Payment.of(agreed, terms))
        .extracting(Settlement::owner, Settlement::micros)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("owner0", 3_000_002L),
            org.assertj.core.groups.Tuple.tuple("owner1", 2_000_000L));
  }

  @Test
  void aTaskCostsAtMostWhatItMayCost() {
    TaskRegister.Terms terms = new TaskRegister.Terms("alice", 2, 3, 10_000_000, 1_001);
    Agreed agreed =
        new Agreed(
            List.of(priced(0, 9_000_000, Long.MAX_VALUE), priced(1, 9_000_000, Long.MAX_VALUE)));

    assertThat(Payment.of(agreed, terms)).extracting(Settlement::micros).containsOnly(500L);
  }

  private static List<Claim> claims(String... digests) {
    List<Claim> claims = new ArrayList<>();
    for (String digest : digests) {
      claims.add(claim(claims.size(), digest));
    }
    return claims;
  }

  private static Claim claim(int replica, String digest) {
    return new Claim(
        new TaskKey("bag", 0), replica, 1, "launcher" + replica, "owner", digest, 1, 1, 1, 1);
  }

  private static Claim priced(int replica, long microUnits, long microsPerUnit) {
    return new Claim(
        new TaskKey("bag", 0),
        replica,
        1,
        "launcher" + replica,
        "owner" + replica,
        "a",
        1,
        microUnits,
        microsPerUnit,
        1);
  }
}
