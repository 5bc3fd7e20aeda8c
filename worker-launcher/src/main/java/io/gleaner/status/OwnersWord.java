package io.gleaner.status;

import io.gleaner.policy.LauncherException;
import java.time.Duration;
import java.util.Optional;

/** What an owner can tell a launcher; each holds until the next, and over a restart. */
public interface OwnersWord {

  /** Give the machine back at once; tasks run elsewhere. */
  void pause();

  /** Let the policy decide again. */
  void resume();

  /** Pause for a while. */
  void snooze(Duration time);

  /** Take nothing new, and pause when what runs has ended. */
  void finishThenPause();

  /** Work for a while whatever input, load and the week say. */
  void runNow(Duration time);

  /**
   * Let one profile hold whatever the week says, or empty for what the week says.
   *
   * @throws LauncherException INVALID_POLICY if there is none of that name
   */
  void profile(Optional<String> name);
}
