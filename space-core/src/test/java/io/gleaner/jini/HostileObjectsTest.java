package io.gleaner.jini;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hostile.Gadget;
import io.gleaner.gateway.GatewayException;
import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.SpaceSettings;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.management.BadAttributeValueExpException;
import net.jini.core.entry.Entry;
import net.jini.core.lookup.ServiceItem;
import net.jini.core.transaction.server.TransactionConstants;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.core.transaction.server.TransactionParticipant;
import net.jini.id.UuidFactory;
import net.jini.io.MarshalledInstance;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Marshalled objects of others do nothing here: not at the node, not at a client, not by lookup.
 */
@Timeout(120)
@Tag("S4")
class HostileObjectsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @BeforeEach
  void nothingRanYet() {
    MarshalledFilter.install();
    Gadget.RAN.set(false);
  }

  @AfterEach
  void nothingRan() {
    assertThat(Gadget.RAN).isFalse();
  }

  @Test
  void whatIsNotOnTheListIsRefusedBeforeItsCodeRuns() throws Exception {
    for (Object hostile :
        List.of(
            new Gadget(),
            new Gadget[1],
            Map.of("key", new Gadget()),
            new BadAttributeValueExpException("x"),
            new URL("http://127.0.0.1/"),
            nested(40),
            new byte[2 << 20])) {
      String marshalled = Marshalled.write(hostile);
      assertThatThrownBy(() -> Marshalled.read(marshalled))
          .isInstanceOf(InvalidClassException.class)
          .hasMessageContaining("REJECTED");
    }
  }

  private static Set<Object> nested(int depth) {
    Set<Object> outermost = new HashSet<>();
    Set<Object> innermost = outermost;
    for (int i = 0; i < depth; i++) {
      Set<Object> next = new HashSet<>();
      innermost.add(next);
      innermost = next;
    }
    return outermost;
  }

  @Test
  void aParticipantDoesNotReadAHostileManager() throws Exception {
    try (HazelcastSpace engine = HazelcastSpace.start(SpaceSettings.defaults());
        RiverPeer<TransactionManager> mahalo = RiverPeers.startMahalo()) {
      var settings =
          new ForeignTransactions.Settings(
              JeriAddress.loopback(), UuidFactory.generate(), 1, Duration.ofMinutes(1));
      try (ForeignTransactions foreign = ForeignTransactions.start(engine, settings)) {
        TransactionParticipant remote = foreign.proxy();
        assertThatThrownBy(() -> remote.prepare(new Gadget(), 1))
            .isInstanceOf(RemoteException.class);
        assertThatThrownBy(() -> remote.prepare(mahalo.proxy(), 1))
            .isInstanceOf(net.jini.core.transaction.UnknownTransactionException.class);
      }
    }
  }

  @Test
  void aManagerDoesNotReadAHostileParticipant() throws Exception {
    try (HazelcastSpace engine = HazelcastSpace.start(SpaceSettings.defaults());
        SharedTransactions shared =
            SharedTransactions.start(
                engine,
                JeriAddress.loopback(),
                UuidFactory.generate(),
                java.time.InstantSource.system())) {
      long id = shared.manager().create(60_000).id;
      assertThatThrownBy(() -> shared.manager().join(id, new HostileParticipant(), 1))
          .isInstanceOf(RemoteException.class);
      assertThat(shared.manager().getState(id)).isEqualTo(TransactionConstants.ACTIVE);
    }
  }

  /** Marshals as a gadget. */
  private static final class HostileParticipant
      implements TransactionParticipant, java.io.Serializable {
    private static final long serialVersionUID = 1L;

    Object writeReplace() {
      return new Gadget();
    }

    @Override
    public int prepare(TransactionManager manager, long id) {
      return PREPARED;
    }

    @Override
    public void commit(TransactionManager manager, long id) {}

    @Override
    public void abort(TransactionManager manager, long id) {}

    @Override
    public int prepareAndCommit(TransactionManager manager, long id) {
      return COMMITTED;
    }
  }

  @Test
  void hostileItemsInALookupServiceDoNotHideHonestOnes() throws Exception {
    try (LookupService lookup = LookupService.start(LookupService.Settings.loopback())) {
      Gadget attribute = new Gadget();
      attribute.inside = new Gadget();
      var registrar = lookup.peer().proxy();
      registrar.register(
          new ServiceItem(
              null,
              new Gadget(),
              new Entry[] {attribute, new PoolEntry("pirates", "nowhere at all", "", "")}),
          60_000);
      registrar.register(
          new ServiceItem(
              null,
              new PoolItem("lab"),
              new Entry[] {new PoolEntry("lab", "127.0.0.1:7400", "http://127.0.0.1:7480", "")}),
          60_000);
      assertThat(PoolFinder.find(lookup.address(), PATIENCE))
          .extracting(Pool::name)
          .containsExactly("lab");
    }
  }

  @Test
  void aHostileLookupServiceRunsNothingInItsClient() throws Exception {
    try (ServerSocket pretender = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread answering = new Thread(() -> answer(pretender), "pretender");
      answering.setDaemon(true);
      answering.start();
      String address = "jini://127.0.0.1:" + pretender.getLocalPort();
      assertThatThrownBy(() -> PoolFinder.find(address, PATIENCE))
          .isInstanceOf(GatewayException.class)
          .hasMessageContaining("does not answer as one");
    }
  }

  /** As a lookup service that speaks version 1 of discovery, with a gadget for a proxy. */
  private static void answer(ServerSocket pretender) {
    try (Socket client = pretender.accept()) {
      client.getInputStream().readNBytes(4);
      ObjectOutputStream objects = new ObjectOutputStream(client.getOutputStream());
      objects.writeObject(new MarshalledInstance(new Gadget()).convertToMarshalledObject());
      objects.flush();
      new DataOutputStream(client.getOutputStream()).writeInt(0);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
