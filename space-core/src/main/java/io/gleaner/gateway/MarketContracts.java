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

/** The contracts in the market's space, read in a session of the gateway's own. Blocks. */
final class MarketContracts implements AutoCloseable {
  private static final int PAGE = 500;

  private final SpaceEngine engine;
  private Optional<Lanes> lanes = Optional.empty();
  private boolean closed;

  MarketContracts(SpaceEngine engine) {
    this.engine = engine;
  }

  List<EncodedEntry> of(String device) throws RemoteException {
    Lanes session = session();
    List<EncodedEntry> template = List.of(EntryCodec.encode(ContractEntry.ofLauncher(device)));
    List<EncodedEntry> found = new ArrayList<>();
    String cursor = "";
    do {
      Reply reply =
          session.ask(new Command.Contents(Permissions.MARKET_SPACE, template, 0, cursor, PAGE));
      if (!(reply instanceof Reply.Listed listed)) {
        throw new RemoteException("the contracts of " + device + " cannot be listed: " + reply);
      }
      found.addAll(listed.entries());
      cursor = listed.cursor();
    } while (!cursor.isEmpty());
    return found;
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
