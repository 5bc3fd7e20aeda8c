package io.gleaner.bench;

import io.gleaner.jini.PeerProcess;
import java.io.IOException;
import java.util.Optional;

/** Apache River's space with its transaction manager, in another process; all share one proxy. */
final class OutriggerPeer implements Peer {
  static final String NAME = "outrigger";

  private final PeerProcess process;

  private OutriggerPeer(PeerProcess process) {
    this.process = process;
  }

  static OutriggerPeer start() throws IOException {
    String heap = "-Xmx" + Runtime.getRuntime().maxMemory() / (1024 * 1024) + "m";
    return new OutriggerPeer(
        Conditions.isQuicklyCompiled()
            ? PeerProcess.start(heap, Conditions.FAST_COMPILER)
            : PeerProcess.start(heap));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Client client(int number) {
    return new Client(process.outrigger(), Optional.of(process.mahalo()), Optional.empty());
  }

  @Override
  public void close() {
    process.close();
  }
}
