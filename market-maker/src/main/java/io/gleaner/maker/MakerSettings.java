package io.gleaner.maker;

import io.gleaner.mechanism.CallTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Settings of a market-maker, validated as a whole.
 *
 * @param holder name under which it takes office, different for each market-maker
 * @param economy by which rules it begins; can be switched later
 * @param terms of the call market
 * @param quantum work after which a slot is offered again
 * @param clearEvery longest time between two rounds
 * @param coalesce shortest time between two rounds, however many hints come
 * @param leaderTerm lease of its office; a silent market-maker is replaced after it
 * @param contractTerm lease of its contracts; they end so long after a market-maker that vanished
 * @param drain how long a released contract stays, at least, so that its last result finds its
 *     price
 * @param history how many clearings are remembered
 */
public record MakerSettings(
    String holder,
    Economy economy,
    CallTerms terms,
    Duration quantum,
    Duration clearEvery,
    Duration coalesce,
    Duration leaderTerm,
    Duration contractTerm,
    Duration drain,
    int history) {

  /**
   * Checks every setting.
   *
   * @throws MakerException INVALID_SETTINGS with a numbered list of all that is wrong
   */
  public MakerSettings {
    List<String> wrong = new ArrayList<>();
    if (holder.isBlank()) {
      wrong.add("holder must be a name");
    }
    positive(wrong, "quantum", quantum);
    positive(wrong, "clearEvery", clearEvery);
    positive(wrong, "coalesce", coalesce);
    if (coalesce.compareTo(clearEvery) > 0) {
      wrong.add("coalesce (" + coalesce + ") must not exceed clearEvery (" + clearEvery + ")");
    }
    if (leaderTerm.compareTo(clearEvery.multipliedBy(3)) < 0) {
      wrong.add("leaderTerm (" + leaderTerm + ") must be at least three times clearEvery");
    }
    if (leaderTerm.compareTo(Duration.ofMinutes(2)) > 0) {
      wrong.add("leaderTerm (" + leaderTerm + ") must not exceed two minutes");
    }
    if (contractTerm.compareTo(clearEvery.multipliedBy(3)) < 0) {
      wrong.add("contractTerm (" + contractTerm + ") must be at least three times clearEvery");
    }
    if (drain.isNegative()) {
      wrong.add("drain must not be negative, not " + drain);
    }
    if (history < 1 || history > 10_000) {
      wrong.add("history must be 1 to 10000, not " + history);
    }
    if (!wrong.isEmpty()) {
      StringBuilder text = new StringBuilder("settings of the market-maker:");
      for (int i = 0; i < wrong.size(); i++) {
        text.append(' ').append(i + 1).append(") ").append(wrong.get(i)).append('.');
      }
      throw new MakerException(MakerException.Code.INVALID_SETTINGS, text.toString());
    }
  }

  private static void positive(List<String> wrong, String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      wrong.add(name + " must be longer than nothing, not " + value);
    }
  }

  /** A market that clears every second, with quanta of a minute and terms of 10 and 15 s. */
  public static MakerSettings defaults(String holder) {
    return new MakerSettings(
        holder,
        Economy.MARKET,
        CallTerms.defaults(),
        Duration.ofSeconds(60),
        Duration.ofSeconds(1),
        Duration.ofMillis(50),
        Duration.ofSeconds(10),
        Duration.ofSeconds(15),
        Duration.ofSeconds(3),
        300);
  }

  /** The same with other rules. */
  public MakerSettings with(Economy economy, CallTerms terms, Duration quantum) {
    return new MakerSettings(
        holder,
        economy,
        terms,
        quantum,
        clearEvery,
        coalesce,
        leaderTerm,
        contractTerm,
        drain,
        history);
  }
}
