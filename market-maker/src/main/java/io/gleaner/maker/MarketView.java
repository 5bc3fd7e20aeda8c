package io.gleaner.maker;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What pages and commands show of the market: the last round. Safe for all threads, never blocks.
 */
public interface MarketView {

  /**
   * The last clearing.
   *
   * @param microsPerUnit the clearing price; empty if nobody traded or there are no prices
   * @param note why there is no price or no trade, for people
   */
  record Clearing(
      long epoch,
      long round,
      String economy,
      String mechanism,
      OptionalLong microsPerUnit,
      int slotsOffered,
      int slotsWanted,
      int slotsTraded,
      Instant at,
      String note) {}

  /** A contract in force. */
  record Contract(
      String contractId, String launcherId, String jobId, int slots, long microsPerUnit) {}

  /** A launcher that offers or says why it does not. */
  record LauncherStatus(
      String launcherId,
      String owner,
      String state,
      String reason,
      int slots,
      long microUnitsPerSecond,
      List<String> running,
      long completed,
      long meteredMicroUnits) {}

  Clearing clearing();

  /** The clearings before, oldest first, at most a few hundred. */
  List<Clearing> history();

  List<Contract> contracts();

  List<LauncherStatus> launchers();

  /** Why a bag waits or how many slots it has and at which price; empty if it does not bid. */
  Optional<String> explain(String jobId);

  /** What a launcher earns now, or why it earns nothing; empty if it is not known. */
  Optional<String> explainLauncher(String launcherId);
}
