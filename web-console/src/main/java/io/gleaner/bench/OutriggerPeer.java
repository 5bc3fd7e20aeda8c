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
    return new OutriggerPeer(
        PeerProcess.start("-Xmx" + Runtime.getRuntime().maxMemory() / (1024 * 1024) + "m"));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Client client(int number) {
    return new Client(process.outrigger(), Optional.of(process.mahalo()));
  }

  @Override
  public void close() {
    process.close();
  }
}
