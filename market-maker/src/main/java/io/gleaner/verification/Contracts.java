package io.gleaner.verification;

import java.util.Optional;

/**
 * Where verification learns at which price a launcher worked: from the market-maker that made the
 * contract, never from the launcher. Safe for all threads.
 */
@FunctionalInterface
public interface Contracts {

  /**
   * What the maker agreed on.
   *
   * @param owner who lends the machine and is paid
   * @param microsPerUnit micro-credits for one unit of work
   */
  record Terms(
      String contractId, String launcherId, String owner, String jobId, long microsPerUnit) {}

  /**
   * The contract, also after it ended, while its bag is open: a result may be committed under its
   * last breath.
   *
   * @return empty if there was none; its results are refused
   */
  Optional<Terms> find(String contractId);
}
