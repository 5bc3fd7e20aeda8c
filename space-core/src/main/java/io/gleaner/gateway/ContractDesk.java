package io.gleaner.gateway;

import io.gleaner.matching.EncodedEntry;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Looks up, away from the event loop, which contracts name a device. */
@FunctionalInterface
interface ContractDesk {
  CompletableFuture<List<EncodedEntry>> contractsOf(String device);
}
