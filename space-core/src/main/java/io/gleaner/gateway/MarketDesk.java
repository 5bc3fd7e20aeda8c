package io.gleaner.gateway;

import io.gleaner.matching.EncodedEntry;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What the market's space says of a device; does not block. */
interface MarketDesk {
  /** The contracts that name it. */
  CompletableFuture<List<EncodedEntry>> contractsOf(String device);

  /** How many entries of a kind name the device, up to so many. */
  CompletableFuture<Integer> countOf(String kind, String device, int most);

  /**
   * What a transaction took of the entries that match.
   *
   * @param template names its shard
   */
  CompletableFuture<List<EncodedEntry>> taken(long transaction, EncodedEntry template);
}
