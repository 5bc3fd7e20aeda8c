package io.gleaner.gateway;

import io.gleaner.identity.Permissions;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.space.Command;
import io.gleaner.space.Lanes;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEngine;
import io.gleaner.tuple.ContractEntry;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import net.jini.core.entry.Entry;

/**
 * What is in the market's space of a device, its contracts above all, read in a session of the
 * gateway's own. Blocks.
 */
final class MarketContracts implements AutoCloseable {
  private static final int PAGE = 500;

  private final SpaceEngine engine;
  private Optional<Lanes> lanes = Optional.empty();
  private boolean closed;

  MarketContracts(SpaceEngine engine) {
    this.engine = engine;
  }

  List<EncodedEntry> of(String device) throws RemoteException {
    List<EncodedEntry> found = new ArrayList<>();
    list(ContractEntry.ofLauncher(device), Integer.MAX_VALUE, found::addAll);
    return found;
  }

  /** How many entries match, up to so many. */
  int count(Entry template, int most) throws RemoteException {
    return Math.min(most, list(template, most, page -> {}));
  }

  private int list(Entry template, int most, Consumer<List<EncodedEntry>> pages)
      throws RemoteException {
    Lanes session = session();
    List<EncodedEntry> encoded = List.of(EntryCodec.encode(template));
    int count = 0;
    String cursor = "";
    do {
      Reply reply =
          session.ask(new Command.Contents(Permissions.MARKET_SPACE, encoded, 0, cursor, PAGE));
      if (!(reply instanceof Reply.Listed listed)) {
        throw new RemoteException(encoded + " cannot be listed: " + reply);
      }
      pages.accept(listed.entries());
      count += listed.entries().size();
      cursor = listed.cursor();
    } while (!cursor.isEmpty() && count < most);
    return count;
  }

  private synchronized Lanes session() throws RemoteException {
    if (closed) {
      throw new RemoteException("the gateway is closed");
    }
    if (lanes.isEmpty()) {
      lanes = Optional.of(new Lanes(engine, "gateway", event -> {}));
    }
    return lanes.get();
  }

  @Override
  public void close() {
    Optional<Lanes> open;
    synchronized (this) {
      closed = true;
      open = lanes;
    }
    open.ifPresent(Lanes::close);
  }
}
