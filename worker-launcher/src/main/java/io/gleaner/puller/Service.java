package io.gleaner.puller;

import io.gleaner.gateway.GatewayAddress;
import io.gleaner.gateway.GatewayException;
import io.gleaner.status.StatusServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The launcher as a process: joins the market, comes back to it when it was away, and ends in order
 * when the process is told to.
 */
final class Service {
  private static final Logger LOG = LoggerFactory.getLogger(Service.class);
  private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
  private static final long LOOK_MILLIS = 500;
  private static final long END_SECONDS = 3;

  private final Door door;
  private final List<GatewayAddress> addresses;
  private final JoinBy by;
  private final LauncherSettings settings;
  private final PrintWriter out;
  private final CountDownLatch told = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  Service(
      Door door,
      List<GatewayAddress> addresses,
      JoinBy by,
      LauncherSettings settings,
      PrintWriter out) {
    this.door = door;
    this.addresses = addresses;
    this.by = by;
    this.settings = settings;
    this.out = out;
  }

  /** Serves until the process is told to end. */
  void run() throws IOException, InterruptedException {
    Thread hook =
        new Thread(
            () -> {
              told.countDown();
              await(ended, END_SECONDS);
            },
            "end");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      Duration wait = FIRST_WAIT;
      boolean joined = false;
      Optional<GatewayException> refusal = Optional.empty();
      while (told.getCount() > 0) {
        try (Door.Stay stay = door.enter(addresses, by)) {
          joined = true;
          wait = FIRST_WAIT;
          serve(stay);
          refusal = stay.refusal();
        } catch (GatewayException e) {
          if (!joined || e.code() == GatewayException.Code.TOKEN_REFUSED) {
            throw e;
          }
          // A node that cannot tell who was revoked believes nobody for a while.
          if (e.code() == GatewayException.Code.NOT_BELIEVED && refusal.isPresent()) {
            throw refusal.get();
          }
          LOG.info("the market is away, next try in {} s: {}", wait.toSeconds(), e.getMessage());
          await(told, wait.toSeconds());
          Duration longer = wait.multipliedBy(2);
          wait = longer.compareTo(LONGEST_WAIT) < 0 ? longer : LONGEST_WAIT;
        }
      }
    } finally {
      ended.countDown();
    }
  }

  private String market() {
    return addresses.stream().map(GatewayAddress::toString).collect(Collectors.joining(", "));
  }

  private void serve(Door.Stay stay) throws IOException, InterruptedException {
    LauncherSettings named = settings.withName(stay.name());
    try (Launcher launcher =
            Launcher.start(named, stay.space(), stay.blobs(), stay.owner(), stay.signer());
        StatusServer page = StatusServer.start(settings.dataFolder(), launcher::status, launcher)) {
      out.printf(
          "%s joined %s for %s; status at http://127.0.0.1:%d/%n",
          named.launcherId(), market(), stay.owner(), page.port());
      out.flush();
      boolean goes = false;
      while (!goes && !launcher.lost() && !stay.over()) {
        goes = told.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      }
    }
  }

  private static void await(CountDownLatch latch, long seconds) {
    try {
      if (!latch.await(seconds, TimeUnit.SECONDS)) {
        LOG.debug("waited {} s", seconds);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
