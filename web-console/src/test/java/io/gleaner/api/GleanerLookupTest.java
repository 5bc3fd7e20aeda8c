package io.gleaner.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.gateway.GatewayException;
import io.gleaner.jini.LookupService;
import io.gleaner.jini.PoolEntry;
import io.gleaner.jini.PoolFinder;
import io.gleaner.jini.PoolRegistration;
import io.gleaner.pages.TestConsole;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs find a market through a real lookup service. */
@Timeout(180)
class GleanerLookupTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void aProgramConnectsThroughALookupService(@TempDir Path folder) throws Exception {
    try (LookupService lookup = LookupService.start(LookupService.Settings.loopback())) {
      TestConsole console = TestConsole.start(folder);
      Secret token = console.token("alice");
      String at = lookup.address();
      assertThatThrownBy(() -> Gleaner.connect(at, token))
          .isInstanceOf(GatewayException.class)
          .hasMessage("the lookup service at " + at + " knows of no pool");
      try (PoolRegistration pool = register(lookup, console.server().address().toString());
          Gleaner market = Gleaner.connect(at, token)) {
        assertThat(market.user()).isEqualTo("alice");
      } finally {
        console.close();
      }
    }
  }

  @Test
  void aTokenIsNotShownToAConsoleElsewhere() throws Exception {
    try (LookupService lookup = LookupService.start(LookupService.Settings.loopback());
        PoolRegistration pool = register(lookup, "http://192.0.2.1:7480")) {
      assertThatThrownBy(() -> Gleaner.connect(lookup.address(), Secret.of("token")))
          .isInstanceOf(SecurityRefusal.class)
          .hasMessageContaining("loopback");
    }
    try (LookupService lookup = LookupService.start(LookupService.Settings.loopback());
        PoolRegistration pool = register(lookup, "")) {
      assertThatThrownBy(() -> Gleaner.connect(lookup.address(), Secret.of("token")))
          .isInstanceOf(GleanerException.class)
          .hasMessageContaining("knows the pool 'lab' but not its console");
    }
  }

  @Test
  void whatIsNoAddressIsSaid() {
    for (String wrong : List.of("", "nowhere", "http://", "a b")) {
      assertThatThrownBy(() -> Gleaner.connect(wrong, Secret.of("token")))
          .as(wrong)
          .isInstanceOf(GleanerException.class)
          .hasMessageContaining("'" + wrong + "' is no address of a market");
    }
    assertThatThrownBy(() -> Gleaner.connect("jini:lab", Secret.of("token")))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("'jini:lab' is no address of a lookup service");
  }

  private static PoolRegistration register(LookupService lookup, String console) throws Exception {
    PoolRegistration registration =
        PoolRegistration.start(
            new PoolEntry("lab", "127.0.0.1:7400", console, ""),
            List.of(lookup.locator()),
            List.of(),
            Optional.empty());
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> !PoolFinder.find(lookup.address(), PATIENCE).isEmpty());
    return registration;
  }
}
