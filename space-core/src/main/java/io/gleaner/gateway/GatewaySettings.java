package io.gleaner.gateway;

import io.gleaner.limits.Rates;
import io.gleaner.space.SpaceEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a gateway allows.
 *
 * @param host where it listens; loopback only where tokens are shown
 * @param port its port, 0 for any free one
 * @param frameBytes longest frame a client may send
 * @param entryBytes most bytes of the fields of one entry
 * @param batchEntries most entries in one command; one that asks for more gets as many
 * @param waitingOperations most unanswered operations of one connection
 * @param ofOwner what the connections of one owner may use together
 * @param links most connections of all
 * @param blobBytes longest blob
 * @param keepAlive how often a client speaks at least; silent for three times as long, it is cut
 * @param lease how long a broken connection may come back and go on
 * @param patience how long a peer may take for its Hello, or leave what was sent to it unread
 * @param drain how long closing waits for operations under way
 * @param rates how often its members may ask
 */
public record GatewaySettings(
    String host,
    int port,
    int frameBytes,
    int entryBytes,
    int batchEntries,
    int waitingOperations,
    OwnerLimits ofOwner,
    int links,
    long blobBytes,
    Duration keepAlive,
    Duration lease,
    Duration patience,
    Duration drain,
    Rates rates) {
  private static final int LEAST_STRANGERS = 64;

  public GatewaySettings {
    List<String> wrong = new ArrayList<>();
    check(wrong, port >= 0 && port <= 65_535, "port " + port + " is not in 0..65535");
    check(
        wrong,
        frameBytes >= 2 * Protocol.BLOB_CHUNK_BYTES && frameBytes <= 64 * 1024 * 1024,
        "frameBytes " + frameBytes + " is not in 512 KiB..64 MiB");
    check(
        wrong,
        entryBytes >= 1024 && entryBytes <= frameBytes / 2,
        "entryBytes " + entryBytes + " is not in 1 KiB..half a frame");
    check(wrong, batchEntries >= 1, "batchEntries " + batchEntries + " is not positive");
    check(
        wrong,
        waitingOperations >= SpaceEngine.WINDOW,
        "waitingOperations " + waitingOperations + " is below a window, " + SpaceEngine.WINDOW);
    check(wrong, ofOwner.links() >= 1, "links of an owner " + ofOwner.links() + " is not positive");
    check(wrong, links >= ofOwner.links(), "links " + links + " is below those of an owner");
    check(
        wrong,
        ofOwner.operations() >= waitingOperations,
        "operations of an owner " + ofOwner.operations() + " is below waitingOperations");
    check(
        wrong,
        ofOwner.requestBytes() >= frameBytes,
        "requestBytes of an owner " + ofOwner.requestBytes() + " is below a frame");
    check(wrong, blobBytes >= 1, "blobBytes " + blobBytes + " is not positive");
    for (Duration time : List.of(keepAlive, lease, patience)) {
      check(
          wrong,
          time.toMillis() >= 10 && time.compareTo(Duration.ofHours(1)) <= 0,
          "the time " + time + " is not in 10 ms..1 h");
    }
    check(wrong, !drain.isNegative(), "drain " + drain + " is negative");
    if (!wrong.isEmpty()) {
      StringBuilder message = new StringBuilder("the gateway's settings are wrong:");
      for (int i = 0; i < wrong.size(); i++) {
        message.append(' ').append(i + 1).append(") ").append(wrong.get(i));
      }
      throw new GatewayException(GatewayException.Code.BAD_SETTINGS, message.toString());
    }
  }

  /** The usual limits, on 127.0.0.1. */
  public static GatewaySettings onPort(int port) {
    return new GatewaySettings(
        "127.0.0.1",
        port,
        16 * 1024 * 1024,
        256 * 1024,
        1000,
        4 * SpaceEngine.WINDOW,
        OwnerLimits.of(2000),
        12_000,
        1024L * 1024 * 1024,
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        Duration.ofSeconds(3),
        Rates.standard());
  }

  /** Connections at a time that have not shown who they are. */
  int strangers() {
    return Math.max(LEAST_STRANGERS, links / 8);
  }

  /** The same limits elsewhere. */
  public GatewaySettings onHost(String name) {
    return with(name, rates);
  }

  /** The same but for how often members may ask. */
  public GatewaySettings with(Rates others) {
    return with(host, others);
  }

  private GatewaySettings with(String name, Rates others) {
    return new GatewaySettings(
        name,
        port,
        frameBytes,
        entryBytes,
        batchEntries,
        waitingOperations,
        ofOwner,
        links,
        blobBytes,
        keepAlive,
        lease,
        patience,
        drain,
        others);
  }

  private static void check(List<String> wrong, boolean holds, String otherwise) {
    if (!holds) {
      wrong.add(otherwise);
    }
  }
}
