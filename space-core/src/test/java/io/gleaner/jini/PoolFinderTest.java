package io.gleaner.jini;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gleaner.gateway.GatewayAddress;
import io.gleaner.gateway.GatewayException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pool is found through a lookup service, by its address and by multicast. */
@Timeout(120)
class PoolFinderTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Test
  void aRegisteredPoolIsFoundByTheAddressOfItsLookupService() throws Exception {
    try (LookupService lookup = LookupService.start(LookupService.Settings.loopback())) {
      String address = lookup.address();
      assertThat(PoolFinder.find(address, PATIENCE)).isEmpty();
      assertThatThrownBy(() -> PoolFinder.gateways(address, PATIENCE))
          .isInstanceOf(GatewayException.class)
          .hasMessageContaining("knows of no pool");
      PoolRegistration registration =
          PoolRegistration.start(
              new PoolEntry("lab", "127.0.0.1:7400", "http://127.0.0.1:7480", ""),
              List.of(lookup.locator()),
              List.of(),
              Optional.empty());
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> !PoolFinder.find(address, PATIENCE).isEmpty());
      assertThat(PoolFinder.find(address, PATIENCE))
          .containsExactly(
              new Pool(
                  "lab",
                  new GatewayAddress("127.0.0.1", 7400),
                  Optional.of(URI.create("http://127.0.0.1:7480")),
                  ""));
      assertThat(PoolFinder.gateways(address, PATIENCE)).hasToString("[127.0.0.1:7400]");
      registration.close();
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> PoolFinder.find(address, PATIENCE).isEmpty());
    }
  }

  @Test
  void anAddressWithoutJiniIsTakenAsItStands() {
    assertThat(PoolFinder.gateways("127.0.0.1:7400", PATIENCE)).hasToString("[127.0.0.1:7400]");
    assertThat(PoolFinder.gateways("127.0.0.1:7400, 127.0.0.2:7401", PATIENCE))
        .hasToString("[127.0.0.1:7400, 127.0.0.2:7401]");
    for (String wrong : List.of("jini:", "jini://", "jini:lab", "jini:@lo", "jini:a\"b@lo")) {
      assertThatThrownBy(() -> PoolFinder.gateways(wrong, PATIENCE))
          .as(wrong)
          .isInstanceOf(GatewayException.class)
          .hasMessageContaining("'" + wrong + "' is no address of a lookup service")
          .hasMessageContaining("jini://host");
    }
  }

  @Test
  void whoAcceptsAndSaysNothingIsGivenUp() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "jini://127.0.0.1:" + silent.getLocalPort();
      assertThatThrownBy(() -> PoolFinder.find(address, Duration.ofSeconds(1)))
          .isInstanceOf(GatewayException.class);
    }
  }

  @Test
  void namesThatCouldBeMoreThanNamesAreRefused() {
    assertThatThrownBy(() -> PoolFinder.findByMulticast("a\", \"b", "lo", PATIENCE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new BoundServerSockets("0.0.0.0"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** In a network of its own, so that nothing is multicast to anybody else. */
  @Test
  void aPoolIsFoundByMulticast() throws Exception {
    String own = "ip link set lo up multicast on && ip route add 224.0.0.0/4 dev lo";
    assumeTrue(
        run(List.of("unshare", "-rn", "sh", "-c", own)) == 0,
        "this machine permits no network namespaces, or lacks unshare or ip");
    List<String> java = new ArrayList<>();
    java.add("\"" + Path.of(System.getProperty("java.home"), "bin", "java") + "\"");
    java.add("-Djava.net.preferIPv4Stack=true");
    BootClasses.ofThisProcess().forEach(flag -> java.add("\"" + flag + "\""));
    java.add("-cp");
    java.add("\"" + System.getProperty("java.class.path") + "\"");
    java.add(MulticastPool.class.getName());
    assertThat(
            run(List.of("unshare", "-rn", "sh", "-c", own + " && exec " + String.join(" ", java))))
        .isZero();
  }

  private static int run(List<String> command) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(100, TimeUnit.SECONDS) || process.exitValue() != 0) {
        System.out.println(said);
      }
      return process.exitValue();
    } catch (java.io.IOException e) {
      System.out.println(e.getMessage());
      return -1;
    }
  }
}
