package io.gleaner.puller;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.policy.Wish;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class WishesTest {
  @TempDir Path folder;
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");
  private long nanos = 1000;

  private Wishes opened() {
    return new Wishes(folder, () -> now, () -> nanos);
  }

  @Test
  void whatTheOwnerSaidOutlivesARestart() {
    assertThat(opened().wish()).isEqualTo(Wish.NONE);
    opened().say(Wish.Kind.PAUSE);
    assertThat(opened().wish()).isEqualTo(Wish.PAUSE);
    opened().choose(Optional.of("night"));
    assertThat(opened().wish()).isEqualTo(Wish.PAUSE);
    assertThat(opened().profile()).contains("night");
    opened().say(Wish.Kind.NONE);
    assertThat(opened().wish()).isEqualTo(Wish.NONE);
    assertThat(opened().profile()).contains("night");
  }

  @Test
  void aSnoozeEndsWhenItShouldAlsoOverARestart() {
    opened().say(Wish.Kind.PAUSE, Duration.ofHours(1));
    opened().choose(Optional.empty());
    now = now.plus(Duration.ofMinutes(20));
    nanos = 77;
    assertThat(opened().wish()).isEqualTo(Wish.snooze(77 + Duration.ofMinutes(40).toNanos()));
    now = now.plus(Duration.ofMinutes(41));
    assertThat(opened().wish()).isEqualTo(Wish.NONE);
  }

  @Test
  void aFileThatCannotBeUnderstoodMeansPause() throws IOException {
    for (String text : new String[] {"", "kind=HURRY", "kind=PAUSE\nuntil=soon", "\\u12"}) {
      Files.writeString(folder.resolve(Wishes.FILE), text);
      assertThat(opened().wish()).isEqualTo(Wish.PAUSE);
    }
  }
}
