package io.gleaner.jini;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.space.Note;
import java.rmi.RemoteException;
import net.jini.core.discovery.LookupLocator;
import net.jini.core.lookup.ServiceRegistrar;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionFactory;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.space.JavaSpace;
import net.jini.space.JavaSpace05;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** River's own services run here, so that we can be held against them. */
@Timeout(120)
class RiverPeersTest {

  @Test
  void outriggerAndMahaloAgreeOnATransaction() throws Exception {
    try (RiverPeer<JavaSpace05> outrigger = RiverPeers.startOutrigger();
        RiverPeer<TransactionManager> mahalo = RiverPeers.startMahalo()) {
      commitsOneNote(outrigger.proxy(), mahalo.proxy());
    }
  }

  @Test
  void bothServeFromAProcessOfTheirOwn() throws Exception {
    try (PeerProcess peers = PeerProcess.start("-Xmx128m")) {
      commitsOneNote(peers.outrigger(), peers.mahalo());
    }
  }

  @Test
  void reggieAnswersOnItsPort() throws Exception {
    try (RiverPeer<ServiceRegistrar> reggie = RiverPeers.startReggie()) {
      LookupLocator locator = reggie.proxy().getLocator();
      assertThat(locator.getHost()).isEqualTo("127.0.0.1");
      assertThat(locator.getRegistrar().getServiceID()).isEqualTo(reggie.proxy().getServiceID());
    }
  }

  @Test
  void aClosedPeerIsGone() throws Exception {
    RiverPeer<JavaSpace05> outrigger = RiverPeers.startOutrigger();
    outrigger.close();
    Awaitility.await()
        .until(
            () -> {
              try {
                outrigger.proxy().readIfExists(null, null, JavaSpace.NO_WAIT);
                return false;
              } catch (RemoteException e) {
                return true;
              }
            });
  }

  private static void commitsOneNote(JavaSpace05 space, TransactionManager manager)
      throws Exception {
    Transaction transaction = TransactionFactory.create(manager, 60_000).transaction;
    Note note = new Note();
    note.topic = "peer";
    space.write(note, transaction, 60_000);
    assertThat(space.readIfExists(new Note(), null, JavaSpace.NO_WAIT)).isNull();
    transaction.commit(60_000);
    assertThat(((Note) space.take(new Note(), null, JavaSpace.NO_WAIT)).topic).isEqualTo("peer");
  }
}
