package io.gleaner.puller;

import io.gleaner.status.StatusClient;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** What an owner says to the launcher of this machine; each prints the status afterwards. */
final class OwnerCommands {
  private OwnerCommands() {}

  /** One thing to say. */
  abstract static class Word implements Runnable {
    @ParentCommand private WorkerCommand worker;

    abstract String said(StatusClient launcher);

    @Override
    public final void run() {
      worker.say(said(new StatusClient(worker.dataFolder())));
    }
  }

  @Command(
      name = "pause",
      description = "Gives the machine back at once, until 'resume'; tasks run elsewhere.",
      mixinStandardHelpOptions = true)
  static final class Pause extends Word {
    @Override
    String said(StatusClient launcher) {
      return launcher.tell("pause");
    }
  }

  @Command(
      name = "resume",
      description = "Lets the policy decide again.",
      mixinStandardHelpOptions = true)
  static final class Resume extends Word {
    @Override
    String said(StatusClient launcher) {
      return launcher.tell("resume");
    }
  }

  @Command(name = "snooze", description = "Pauses for a while.", mixinStandardHelpOptions = true)
  static final class Snooze extends Word {
    @Parameters(
        paramLabel = "<time>",
        description = "Such as 30m or 2h; default: ${DEFAULT-VALUE}.",
        defaultValue = "1h")
    private String time;

    @Override
    String said(StatusClient launcher) {
      return launcher.tell("snooze", "for", time);
    }
  }

  @Command(
      name = "finish-then-pause",
      description = "Takes no new task, and pauses when those that run have ended.",
      mixinStandardHelpOptions = true)
  static final class FinishThenPause extends Word {
    @Override
    String said(StatusClient launcher) {
      return launcher.tell("finish-then-pause");
    }
  }

  @Command(
      name = "run-now",
      description = {
        "Works for a while whatever input, load and the week say;",
        "battery, heat, memory and disk still count."
      },
      mixinStandardHelpOptions = true)
  static final class RunNow extends Word {
    @Parameters(
        paramLabel = "<time>",
        description = "Such as 30m or 2h; default: ${DEFAULT-VALUE}.",
        defaultValue = "1h")
    private String time;

    @Override
    String said(StatusClient launcher) {
      return launcher.tell("run-now", "for", time);
    }
  }

  @Command(
      name = "profile",
      description = "Lets one profile of the policy hold; without a name, what the week says.",
      mixinStandardHelpOptions = true)
  static final class Profile extends Word {
    @Parameters(paramLabel = "<name>", arity = "0..1", description = "Such as gaming or night.")
    private String name;

    @Override
    String said(StatusClient launcher) {
      return Optional.ofNullable(name)
          .map(profile -> launcher.tell("profile", "name", profile))
          .orElseGet(() -> launcher.tell("profile"));
    }
  }
}
