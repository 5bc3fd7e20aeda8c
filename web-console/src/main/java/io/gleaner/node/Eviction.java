package io.gleaner.node;

import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.ContractEntry;
import io.gleaner.tuple.OfferEntry;
import io.gleaner.tuple.StatusEntry;
import java.rmi.RemoteException;
import java.util.List;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.transaction.TransactionException;
import net.jini.space.JavaSpace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a device out of the market: its offers, its status and its contracts. What it has taken
 * comes back with its transactions, which end with its connections. Safe for all threads.
 */
final class Eviction {
  private static final Logger LOG = LoggerFactory.getLogger(Eviction.class);

  private final TupleSpace space;

  Eviction(TupleSpace space) {
    this.space = space;
  }

  /**
   * Ends what the device has there.
   *
   * @throws IllegalStateException if the space did not answer; to be tried again then
   */
  void of(String device) {
    int ended = 0;
    try {
      for (Entry template :
          List.of(
              OfferEntry.ofLauncher(device),
              StatusEntry.ofLauncher(device),
              ContractEntry.ofLauncher(device))) {
        while (space.takeIfExists(template, null, JavaSpace.NO_WAIT) != null) {
          ended++;
        }
      }
    } catch (RemoteException | TransactionException | UnusableEntryException e) {
      throw new IllegalStateException("device " + device + " is still in the market", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("device " + device + " is still in the market", e);
    }
    LOG.info("device {} is out of the market, {} entries of it", device, ended);
  }
}
