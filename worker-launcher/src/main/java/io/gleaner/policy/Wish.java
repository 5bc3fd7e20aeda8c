package io.gleaner.policy;

/**
 * What the owner said last.
 *
 * @param kind what is wished
 * @param untilNanos when it ends by itself, or {@link #ALWAYS}
 */
public record Wish(Kind kind, long untilNanos) {
  public static final long ALWAYS = Long.MAX_VALUE;

  /** The policy decides. */
  public static final Wish NONE = new Wish(Kind.NONE, ALWAYS);

  public static final Wish PAUSE = new Wish(Kind.PAUSE, ALWAYS);
  public static final Wish FINISH = new Wish(Kind.FINISH, ALWAYS);

  /** What an owner can say. */
  public enum Kind {
    /** The policy decides. */
    NONE,
    /** Give the machine back, for good or for a while. */
    PAUSE,
    /** Take nothing new; pause when what runs has ended. */
    FINISH,
    /** Work whatever input, load and the week say; power, heat, memory and disk still count. */
    RUN_NOW
  }

  public static Wish snooze(long untilNanos) {
    return new Wish(Kind.PAUSE, untilNanos);
  }

  public static Wish runNow(long untilNanos) {
    return new Wish(Kind.RUN_NOW, untilNanos);
  }

  /** This wish, or none if its time is over. */
  public Wish at(long nowNanos) {
    return untilNanos != ALWAYS && nowNanos - untilNanos >= 0 ? NONE : this;
  }
}
