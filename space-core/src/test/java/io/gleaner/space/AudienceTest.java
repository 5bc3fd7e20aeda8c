package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import net.jini.core.event.RemoteEvent;
import net.jini.core.event.RemoteEventListener;
import net.jini.core.lease.Lease;
import net.jini.core.lease.UnknownLeaseException;
import net.jini.export.Exporter;
import net.jini.jeri.BasicILFactory;
import net.jini.jeri.BasicJeriExporter;
import net.jini.jeri.tcp.TcpServerEndpoint;
import net.jini.space.AvailabilityEvent;
import net.jini.space.JavaSpace;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listeners of a client: exported ones, those that fail, and those whose leases end. */
@Timeout(120)
class AudienceTest {
  private static HazelcastSpace engine;

  @BeforeAll
  static void start() {
    engine = HazelcastSpace.start(SpaceSettings.defaults());
  }

  @AfterAll
  static void end() {
    engine.close();
  }

  @Test
  void anExportedListenerHearsOfTheSpaceAndOfTheEntry() throws Exception {
    List<RemoteEvent> heard = new CopyOnWriteArrayList<>();
    RemoteEventListener listener = heard::add; // JERI holds it weakly
    Exporter exporter =
        new BasicJeriExporter(TcpServerEndpoint.getInstance("127.0.0.1", 0), new BasicILFactory());
    RemoteEventListener exported = (RemoteEventListener) exporter.export(listener);
    try (TupleSpace space = SpaceClient.open(engine, "exported", "test")) {
      space.notify(new Note("a", null), null, exported, Lease.FOREVER, null);
      space.registerForAvailabilityEvent(
          List.of(new Note("a", null)), null, true, exported, Lease.FOREVER, null);
      space.write(new Note("a", 7), null, Lease.FOREVER);

      await().atMost(Duration.ofMinutes(1)).until(() -> heard.size() == 2);

      assertThat(heard).allMatch(event -> event.getSource() == space);
      AvailabilityEvent available = available(heard);
      assertThat(((Note) available.getEntry()).number).isEqualTo(7);
      assertThat(available.isVisibilityTransition()).isTrue();
      assertThat(space.take(available.getSnapshot(), null, 0)).isNotNull();
      assertThat(listener).isNotNull();
    } finally {
      exporter.unexport(true);
    }
  }

  @Test
  void inAnotherProcessAnEventNamesItsSpaceAndHasItsEntry() throws Exception {
    List<RemoteEvent> heard = new CopyOnWriteArrayList<>();
    List<byte[]> sent = new CopyOnWriteArrayList<>();
    try (TupleSpace space = SpaceClient.open(engine, "sent", "test")) {
      space.notify(new Note("a", null), null, heard::add, Lease.FOREVER, null);
      space.registerForAvailabilityEvent(
          List.of(new Note("a", null)), null, true, heard::add, Lease.FOREVER, null);
      space.write(new Note("a", 7), null, Lease.FOREVER);
      await().atMost(Duration.ofMinutes(1)).until(() -> heard.size() == 2);
      for (RemoteEvent event : heard) {
        sent.add(bytes(event));
      }
    }
    // Nobody here has that client any more, as in another process.
    List<RemoteEvent> there = new CopyOnWriteArrayList<>();
    for (byte[] each : sent) {
      there.add(event(bytes(event(each)))); // handed on once
    }
    JavaSpace named = (JavaSpace) there.get(0).getSource();
    assertThat(named)
        .hasToString(there.get(1).getSource().toString())
        .isInstanceOf(NamedSpace.class);
    assertThat(there).allMatch(event -> event.getSource().equals(named));
    assertThat(((NamedSpace) named).space()).isEqualTo("sent");
    assertThatThrownBy(() -> named.read(null, null, 0))
        .isInstanceOf(RemoteException.class)
        .hasMessageContaining("'sent'");
    assertThat(((Note) available(there).getEntry()).number).isEqualTo(7);
  }

  @Test
  void aListenerThatIsNoMoreLosesItsRegistrationAndOneThatFailsDoesNot() throws Exception {
    AtomicInteger failed = new AtomicInteger();
    try (TupleSpace space = SpaceClient.open(engine, "failing", "test")) {
      Lease gone =
          space
              .notify(
                  new Note("a", null),
                  null,
                  event -> {
                    throw new NoSuchObjectException("it was unexported");
                  },
                  Lease.FOREVER,
                  null)
              .getLease();
      Lease failing =
          space
              .notify(
                  new Note("a", null),
                  null,
                  event -> {
                    failed.incrementAndGet();
                    throw new IllegalStateException("not today");
                  },
                  Lease.FOREVER,
                  null)
              .getLease();
      for (int i = 1; i <= 3; i++) {
        int calls = i;
        space.write(new Note("a", i), null, Lease.FOREVER);
        await().atMost(Duration.ofMinutes(1)).until(() -> failed.get() == calls);
      }
      await().atMost(Duration.ofMinutes(1)).until(() -> isOver(gone));
      failing.renew(Lease.FOREVER);
    }
  }

  @Test
  void whoseLeaseHasEndedIsForgottenWhenTheNextJoins() throws Exception {
    AtomicLong nanos = new AtomicLong();
    try (SpaceClient space = SpaceClient.open(engine, "forgotten", "test");
        Audience audience = new Audience(space, "forgotten", "test", nanos::get, lease -> {})) {
      SpaceLease.Keeper[] first = new SpaceLease.Keeper[1];
      joins(audience, 1, 100, first);
      joins(audience, 2, Long.MAX_VALUE, new SpaceLease.Keeper[1]);
      nanos.addAndGet(Duration.ofHours(1).toNanos());
      assertThat(audience.size()).isEqualTo(2);

      joins(audience, 3, 100, new SpaceLease.Keeper[1]);
      assertThat(audience.size()).isEqualTo(2);

      // The answer to a renewal comes late.
      first[0].renewed(100);
      assertThat(audience.size()).isEqualTo(3);
    }
  }

  private static void joins(
      Audience audience, long eventId, long millis, SpaceLease.Keeper[] keeper) throws Exception {
    LeaseId lease = new LeaseId(LeaseId.Kind.REGISTRATION, "0", eventId);
    audience.joins(
        event -> {},
        new Audience.Wish(null, false, AudienceTest.class.getClassLoader()),
        () -> new Reply.Registered(eventId, new Reply.Granted(lease, millis), 0),
        (granted, its) -> {
          keeper[0] = its;
          return null;
        });
  }

  private static AvailabilityEvent available(List<RemoteEvent> events) {
    return events.stream()
        .filter(AvailabilityEvent.class::isInstance)
        .map(AvailabilityEvent.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private static byte[] bytes(RemoteEvent event) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(event);
    }
    return bytes.toByteArray();
  }

  private static RemoteEvent event(byte[] bytes) throws Exception {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return (RemoteEvent) in.readObject();
    }
  }

  private static boolean isOver(Lease lease) throws Exception {
    try {
      lease.renew(Lease.FOREVER);
      return false;
    } catch (UnknownLeaseException e) {
      return true;
    }
  }
}
