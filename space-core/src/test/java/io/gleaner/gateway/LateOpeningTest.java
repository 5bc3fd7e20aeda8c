package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.leasing.Ticker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A session is opened at the moment at which a connection comes back. */
@Timeout(150)
class LateOpeningTest {
  private static final ConnectSettings PATIENT =
      new ConnectSettings(Duration.ofSeconds(60), Duration.ofSeconds(120));

  @TempDir Path folder;

  /** Opens a session after the engine has taken up its own, before anybody can send. */
  private static final class Latecomer implements ClientLink.User {
    private final RemoteEngine engine;
    private final CompletableFuture<Long> opened = new CompletableFuture<>();

    Latecomer(RemoteEngine engine) {
      this.engine = engine;
    }

    @Override
    public void received(Wire.ServerFrame frame) {}

    @Override
    public void arrived(long tenure, Consumer<Message> way) {
      if (tenure == 2) {
        var unused = engine.open("late", event -> {}).thenAccept(opened::complete);
      }
    }

    @Override
    public void resumed() {}

    @Override
    public void replaced() {}

    @Override
    public void lost(GatewayException why) {
      opened.completeExceptionally(why);
    }
  }

  @Test
  void aSessionThatIsAskedForWhileTheConnectionComesBackIsOpened() throws Exception {
    try (TestGateway gateway = TestGateway.startUsual(new RememberingEngine(), folder);
        CuttingProxy wire = CuttingProxy.to(gateway.server.port())) {
      RemoteEngine engine = new RemoteEngine();
      Latecomer late = new Latecomer(engine);
      ClientLink link =
          new ClientLink(
              List.of(wire.address()),
              new Showing.Token(gateway.token, "laptop"),
              PATIENT,
              Ticker.system(),
              List.of(engine, late));
      engine.use(link);
      try {
        link.start().get(60, TimeUnit.SECONDS);
        wire.cut();
        assertThat(late.opened.get(30, TimeUnit.SECONDS)).isPositive();
      } finally {
        link.close().get(60, TimeUnit.SECONDS);
      }
    }
  }
}
