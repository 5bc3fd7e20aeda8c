package io.gleaner.puller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.tuple.NoticeEntry;
import java.time.Duration;
import net.jini.core.lease.Lease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A launcher hears why it gets no work, and that it is over. */
@Timeout(120)
class NoticesTest extends WithMarket {
  private long nanos;

  @Test
  void whoIsLeftOutSaysWhyAndUntilWhen() throws Exception {
    Notices notices = new Notices(space, "alice", () -> nanos);
    writes("bob", "something else");
    looks(notices);
    assertThat(notices.told()).isEmpty();

    Lease lease = writes("alice", "its results were refused again and again");
    notices.look();
    assertThat(notices.told()).as("it asks every five seconds").isEmpty();
    looks(notices);
    assertThat(notices.told())
        .hasValue(
            "the market sends this launcher no work until 1970-01-01T00:10:00Z: its results were"
                + " refused again and again");

    lease.cancel();
    looks(notices);
    assertThat(notices.told()).isEmpty();
  }

  @Test
  void aLauncherTellsItsOwner() throws Exception {
    writes("alice", "late");
    try (Launcher launcher = joins()) {
      await().until(() -> launcher.status().notice().isPresent());
      assertThat(launcher.status().text()).contains("until 1970-01-01T00:10:00Z: late");
    }
  }

  private void looks(Notices notices) throws Exception {
    nanos += Duration.ofSeconds(5).toNanos();
    notices.look();
  }

  private Lease writes(String launcher, String reason) throws Exception {
    NoticeEntry told = NoticeEntry.ofLauncher(launcher);
    told.reason = reason;
    told.untilMillis = 600_000L;
    return space.write(told, null, 60_000);
  }
}
