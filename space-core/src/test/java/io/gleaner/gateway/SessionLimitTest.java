package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.space.SpaceEngine;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program that opens more sessions than one connection may have. */
@Timeout(120)
class SessionLimitTest {
  private static final int MOST = SpaceEngine.WINDOW;

  @TempDir Path folder;

  @Test
  void isToldSoAndTheOthersGoOn() throws Exception {
    try (TestGateway gateway = TestGateway.start(new RememberingEngine(), folder);
        GatewayConnection connection = gateway.patientClient()) {
      SpaceEngine engine = connection.engine();
      long first = open(engine);
      for (int i = 1; i < MOST; i++) {
        assertThat(open(engine)).isNotEqualTo(first);
      }
      assertThatThrownBy(() -> open(engine))
          .cause()
          .isInstanceOf(GatewayException.class)
          .hasMessageContaining("this connection has " + MOST + " sessions")
          .hasMessageContaining("open another connection");
      engine.close(first).get(60, TimeUnit.SECONDS);
      assertThat(open(engine)).isNotEqualTo(first);
    }
  }

  private static long open(SpaceEngine engine) throws Exception {
    return engine.open("test", event -> {}).get(60, TimeUnit.SECONDS);
  }
}
