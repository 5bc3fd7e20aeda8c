package io.gleaner.space;

import static net.jini.core.lease.Lease.FOREVER;
import static net.jini.space.JavaSpace.NO_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hostile.Tripwire;
import io.gleaner.gateway.GatewayConnection;
import io.gleaner.gateway.TestGateway;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.HostileClient;
import java.io.ByteArrayOutputStream;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.lease.Lease;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is only serialisable passes through the node as bytes, and no further than to clients. */
@Timeout(120)
class SerialisedEntriesTest {
  @TempDir static Path folder;
  private static HazelcastSpace engine;
  private static TestGateway gateway;
  private static GatewayConnection connection;

  /** An entry with room for anything. */
  public static class Parcel implements Entry {
    private static final long serialVersionUID = 1L;
    public String label;
    public Object content;

    public Parcel() {}

    Parcel(String label, Object content) {
      this.label = label;
      this.content = content;
    }
  }

  @BeforeAll
  static void startNode() throws Exception {
    engine = HazelcastSpace.start(SpaceSettings.defaults());
    gateway = TestGateway.startUsual(engine, folder);
    connection = gateway.patientClient();
  }

  @AfterAll
  static void stopNode() throws Exception {
    connection.close();
    gateway.close();
    engine.close();
  }

  @Test
  @Tag("S4")
  void aGadgetIsStoredUntouchedAndMadeByNobody() throws Exception {
    int before = Tripwire.READ.get();
    writes(gadget(), "embedded");
    writes(gadget(), "ada/remote");
    List<TupleSpace> spaces =
        List.of(SpaceClient.open(engine, "embedded", "test"), connection.space("remote"));
    for (TupleSpace space : spaces) {
      Parcel template = new Parcel("gadget", null);
      refusesTheGadget(() -> space.read(template, null, NO_WAIT));
      refusesTheGadget(() -> space.contents(List.of(template), null, FOREVER, 1).next());
      refusesTheGadget(() -> space.take(template, null, NO_WAIT));
      assertThat(space.take(template, null, NO_WAIT)).as("the take removed it").isNull();
      space.close();
    }
    assertThat(Tripwire.READ).hasValue(before);
  }

  private static EncodedEntry gadget() {
    ArrayList<Object> content = new ArrayList<>(List.of(new Tripwire()));
    return HostileClient.encode(new Parcel("gadget", null), "content", content);
  }

  private static void writes(EncodedEntry entry, String space) {
    long session = engine.open("hostile", event -> {}).join();
    Command write = new Command.Write(space, List.of(entry), List.of(FOREVER), 0);
    assertThat(engine.execute(session, 1, 1, write).join()).isInstanceOf(Reply.Written.class);
    engine.close(session).join();
  }

  @Test
  @Tag("S4")
  void theSpaceKeepsTheBytesAsTheyCame() throws Exception {
    int before = Tripwire.READ.get();
    EncodedEntry written = HostileClient.encode(new Parcel("raw", null), "content", new Tripwire());
    writes(written, "raw");
    try (TupleSpace space = SpaceClient.open(engine, "raw", "test")) {
      assertThat(space.take(new Parcel(null, "another"), null, NO_WAIT)).isNull();
      long session = engine.open("raw", event -> {}).join();
      EncodedEntry template =
          HostileClient.encode(new Parcel(null, null), "content", new Tripwire());
      Command take = new Command.Match("raw", Command.Mode.TAKE, List.of(template), 0, 0, 1);
      assertThat(engine.execute(session, 1, 1, take).join())
          .as("found by its bytes")
          .isEqualTo(new Reply.Matched(List.of(written)));
      engine.close(session).join();
    }
    assertThat(Tripwire.READ).hasValue(before);
  }

  @Test
  void whatIsTooLargeIsRefusedAsAnythingElseIs() throws Exception {
    try (TupleSpace space = connection.space("large")) {
      Exception text = new IllegalStateException("x".repeat(2 << 20));
      assertThatThrownBy(() -> space.write(new Parcel("large", text), null, FOREVER))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(space.read(null, null, NO_WAIT)).isNull();
    }
  }

  @Test
  void leasesAndSnapshotsSayThatTheyDoNotTravel() throws Exception {
    try (TupleSpace space = SpaceClient.open(engine, "leases", "test")) {
      Lease lease = space.write(new Note("a", 1), null, FOREVER);
      for (Object each : List.of(lease, space.snapshot(new Note()))) {
        try (ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream())) {
          assertThatThrownBy(() -> out.writeObject(each))
              .isInstanceOf(NotSerializableException.class)
              .hasMessageContaining("works");
        }
        assertThatThrownBy(() -> space.write(new Parcel("b", each), null, FOREVER))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(each.getClass().getName());
      }
      assertThat(space.take(new Parcel(), null, NO_WAIT)).isNull();
    }
  }

  private static void refusesTheGadget(org.assertj.core.api.ThrowableAssert.ThrowingCallable read) {
    assertThatThrownBy(read)
        .isInstanceOfSatisfying(
            UnusableEntryException.class,
            e -> {
              assertThat(e.unusableFields).containsExactly("content");
              assertThat(((Parcel) e.partialEntry).label).isEqualTo("gadget");
              assertThat(e.nestedExceptions[0]).hasMessageContaining("hostile.Tripwire");
            });
  }
}
