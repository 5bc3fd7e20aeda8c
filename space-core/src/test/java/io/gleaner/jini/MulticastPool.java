package io.gleaner.jini;

import io.gleaner.gateway.GatewayException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Runs where multicast reaches nobody else: a lookup service, a pool and who looks for it. */
final class MulticastPool {
  private static final String LO = "lo";
  private static final String GROUP = "gleaner-test";

  private MulticastPool() {}

  public static void main(String[] args) throws Exception {
    var settings = new LookupService.Settings("127.0.0.1", 0, List.of(GROUP), Optional.of(LO));
    try (LookupService lookup = LookupService.start(settings);
        PoolRegistration pool =
            PoolRegistration.start(
                new PoolEntry("lab", "127.0.0.1:7400", "http://127.0.0.1:7480", ""),
                List.of(),
                List.of(GROUP),
                Optional.of(LO))) {
      boolean found = false;
      for (int i = 0; i < 6 && !found; i++) {
        try {
          String address = "jini:" + GROUP + "@" + LO;
          found = PoolFinder.pool(address, Duration.ofSeconds(10)).name().equals("lab");
        } catch (GatewayException e) {
          System.out.println(e.getMessage());
        }
      }
      boolean others =
          !PoolFinder.findByMulticast("another-group", LO, Duration.ofSeconds(2)).isEmpty();
      System.exit(found && !others ? 0 : 1);
    }
  }
}
