package io.gleaner.policy;

import io.gleaner.idle.Memory;
import io.gleaner.idle.Observations;
import io.gleaner.idle.Others;
import io.gleaner.idle.Power;
import io.gleaner.idle.Reading;
import io.gleaner.policy.Verdict.Kind;
import io.gleaner.wording.Durations;
import io.gleaner.wording.Sizes;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * One rule about one thing that is measured. Unknown is busy, but for a dedicated machine; where
 * there is no such thing, the rule says nothing against work.
 */
enum Condition {
  INPUT("when somebody last typed") {
    @Override
    boolean matters(Rules rules) {
      return !rules.get(Setting.DEDICATED);
    }

    @Override
    Verdict judge(Rules rules, Object value) {
      Duration idle = (Duration) value;
      Duration asked = rules.get(Setting.INPUT_IDLE);
      return idle.compareTo(asked) < 0
          ? new Verdict(
              Kind.BUSY,
              "somebody used the machine %s ago, the policy asks for %s without input"
                  .formatted(Durations.words(idle), Durations.words(asked)))
          : new Verdict(Kind.FREE, "nobody used the machine for " + Durations.words(idle));
    }
  },
  POWER("whether the machine is on mains") {
    @Override
    Verdict judge(Rules rules, Object value) {
      Power power = (Power) value;
      if (!power.battery()) {
        return new Verdict(Kind.FREE, "it is on mains");
      }
      if (rules.get(Setting.MAINS_ONLY)) {
        return new Verdict(Kind.BUSY, "the machine is on battery, the policy asks for mains");
      }
      String charge = "the battery has " + power.charge() + " %";
      int leave = rules.get(Setting.BATTERY_LEAVE);
      int enter = rules.get(Setting.BATTERY_ENTER);
      return power.charge() < leave
          ? new Verdict(Kind.BUSY, charge + ", the policy yields below " + leave + " %")
          : power.charge() < enter
              ? new Verdict(Kind.BETWEEN, charge + ", the policy begins at " + enter + " %")
              : new Verdict(Kind.FREE, charge);
    }
  },
  PROGRAMS("which programs run") {
    @Override
    boolean matters(Rules rules) {
      return !rules.get(Setting.PAUSE_FOR).isEmpty();
    }

    @Override
    Verdict judge(Rules rules, Object value) {
      Set<String> running = ((Others) value).programs();
      return rules.get(Setting.PAUSE_FOR).stream()
          .filter(
              name -> running.contains(name.substring(0, Math.min(LONGEST_COMM, name.length()))))
          .findFirst()
          .map(name -> new Verdict(Kind.BUSY, name + " runs, for which the policy pauses"))
          .orElseGet(() -> new Verdict(Kind.FREE, "none of the listed programs runs"));
    }
  },
  NETWORK("whether the network costs by the byte") {
    @Override
    boolean matters(Rules rules) {
      return !rules.get(Setting.ON_METERED);
    }

    @Override
    Verdict judge(Rules rules, Object value) {
      return (Boolean) value
          ? new Verdict(Kind.BUSY, "the network is metered, the policy asks for one that is not")
          : new Verdict(Kind.FREE, "the network is not metered");
    }
  },
  MEMORY("how much memory is available") {
    @Override
    Verdict judge(Rules rules, Object value) {
      Memory memory = (Memory) value;
      int leave = rules.get(Setting.MEMORY_LEAVE);
      int enter = rules.get(Setting.MEMORY_ENTER);
      int stallLeave = rules.get(Setting.STALL_LEAVE);
      int stallEnter = rules.get(Setting.STALL_ENTER);
      String available = "%.0f %% of the memory is available".formatted(memory.availablePercent());
      String stalled =
          "programs waited for memory %.0f %% of the time".formatted(memory.stalledPercent());
      if (memory.availablePercent() < leave) {
        return new Verdict(Kind.PRESSED, available + ", the policy yields below " + leave + " %");
      }
      if (memory.stalledPercent() > stallLeave) {
        return new Verdict(
            Kind.PRESSED, stalled + ", the policy yields above " + stallLeave + " %");
      }
      if (memory.availablePercent() < enter) {
        return new Verdict(Kind.BETWEEN, available + ", the policy begins at " + enter + " %");
      }
      return memory.stalledPercent() > stallEnter
          ? new Verdict(Kind.BETWEEN, stalled + ", the policy begins at " + stallEnter + " %")
          : new Verdict(Kind.FREE, available);
    }
  },
  DISK("how much of the disk is free") {
    @Override
    Verdict judge(Rules rules, Object value) {
      long free = (Long) value;
      long asked = rules.get(Setting.DISK_FREE);
      return free < asked
          ? new Verdict(
              Kind.BUSY,
              "%d MB of the disk are free, the policy asks for %s"
                  .formatted(free >> 20, Sizes.text(asked)))
          : new Verdict(Kind.FREE, (free >> 20) + " MB of the disk are free");
    }
  },
  TEMPERATURE("how hot the machine is") {
    @Override
    Verdict judge(Rules rules, Object value) {
      double celsius = (Double) value;
      int leave = rules.get(Setting.TEMPERATURE_LEAVE);
      int enter = rules.get(Setting.TEMPERATURE_ENTER);
      String heat = "the hottest sensor has %.0f °C".formatted(celsius);
      return celsius > leave
          ? new Verdict(Kind.LOADED, heat + ", the policy yields above " + leave + " °C")
          : celsius >= enter
              ? new Verdict(Kind.BETWEEN, heat + ", the policy begins below " + enter + " °C")
              : new Verdict(Kind.FREE, heat);
    }
  },
  LOAD("what other programs use") {
    @Override
    boolean matters(Rules rules) {
      return !rules.get(Setting.DEDICATED);
    }

    @Override
    Verdict judge(Rules rules, Object value) {
      double cores = ((Others) value).cores();
      double leave = rules.get(Setting.LOAD_LEAVE).doubleValue();
      double enter = rules.get(Setting.LOAD_ENTER).doubleValue();
      String load = "other programs use %.2f cores".formatted(cores);
      return cores > leave
          ? new Verdict(Kind.LOADED, load + ", the policy yields above %.2f".formatted(leave))
          : cores >= enter
              ? new Verdict(Kind.BETWEEN, load + ", the policy begins below %.2f".formatted(enter))
              : new Verdict(Kind.FREE, load);
    }
  };

  /** The kernel keeps no more letters of a program's name. */
  private static final int LONGEST_COMM = 15;

  private static final List<Condition> OWNERS_PRESENCE = List.of(INPUT, LOAD);

  private final String what;

  Condition(String what) {
    this.what = what;
  }

  private Reading<?> reading(Observations seen) {
    return switch (this) {
      case INPUT -> seen.inputIdle();
      case POWER -> seen.power();
      case MEMORY -> seen.memory();
      case DISK -> seen.diskFree();
      case TEMPERATURE -> seen.temperature();
      case LOAD, PROGRAMS -> seen.others();
      case NETWORK -> seen.metered();
    };
  }

  /** Whether the owner's presence shows in it, which "run now" sets aside. */
  boolean aboutOwner() {
    return OWNERS_PRESENCE.contains(this);
  }

  /** Whether these rules ask for it at all. */
  boolean matters(Rules rules) {
    return true;
  }

  abstract Verdict judge(Rules rules, Object value);

  Verdict judge(Rules rules, Observations seen) {
    Reading<?> read = reading(seen);
    if (read instanceof Reading.Known<?> known) {
      return judge(rules, known.value());
    }
    if (read instanceof Reading.Absent<?> absent) {
      return new Verdict(Kind.FREE, absent.why());
    }
    String why = "it is unknown " + what + " (" + ((Reading.Unknown<?>) read).why() + ")";
    return new Verdict(rules.get(Setting.DEDICATED) ? Kind.FREE : Kind.BUSY, why);
  }
}
