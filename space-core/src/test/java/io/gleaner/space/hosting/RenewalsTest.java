package io.gleaner.space.hosting;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.space.core.Message;
import io.gleaner.space.core.Routing;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Thousands of sessions cost each cell one input three times in a lease. */
@Timeout(60)
class RenewalsTest {
  private static final int CELLS = 271;
  private static final int SESSIONS = 10_000;
  private static final long LEASE_MILLIS = 60_000;
  private static final long STEP_NANOS = 200_000_000;
  private static final int STEPS_OF_A_LEASE = 300;

  private final Renewals renewals = new Renewals(CELLS, () -> nanos());
  private final List<Message.Renew> sent = new ArrayList<>();
  private final Set<Long> sessions = new HashSet<>();
  private long nanos;

  private long nanos() {
    return nanos;
  }

  @BeforeEach
  void thousandsOfSessions() {
    SplittableRandom random = new SplittableRandom(1);
    while (sessions.size() < SESSIONS) {
      long session = random.nextLong() >>> 1;
      sessions.add(session);
      renewals.hold(session, LEASE_MILLIS, 0);
    }
  }

  private void aLeasePasses() {
    sent.clear();
    for (int step = 0; step < STEPS_OF_A_LEASE; step++) {
      nanos += STEP_NANOS;
      renewals.sweep(
          (home, message) -> {
            Message.Renew renew = (Message.Renew) message;
            assertThat(renew.sessions())
                .allMatch(session -> Routing.homeOf(session, CELLS) == home);
            sent.add(renew);
          });
    }
  }

  @Test
  void eachSessionIsRenewedThreeTimesByThreeInputsForEachCell() {
    aLeasePasses();
    assertThat(sent).hasSizeLessThanOrEqualTo(3 * CELLS);
    for (long session : List.copyOf(sessions).subList(0, 100)) {
      assertThat(sent.stream().filter(each -> each.sessions().contains(session)).count())
          .isBetween(2L, 3L);
    }
  }

  @Test
  void whatIsLeftIsNotRenewedUnlessItIsHeldByALaterTenure() {
    for (long session : sessions) {
      renewals.drop(session, 0);
    }
    long stays = sessions.iterator().next();
    renewals.hold(stays, LEASE_MILLIS, 2);
    assertThat(renewals.drop(stays, 1)).isFalse();
    aLeasePasses();
    assertThat(sent).isNotEmpty().allMatch(each -> each.sessions().equals(List.of(stays)));
  }
}
