package io.gleaner.gateway;

import io.gleaner.authority.PoolRole;
import io.gleaner.blob.BlobStore;
import io.gleaner.gateway.GatewayException.Code;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.identity.Names;
import io.gleaner.leasing.Ticker;
import io.gleaner.secrets.Secret;
import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceEngine;
import io.gleaner.space.TupleSpace;
import io.gleaner.tls.LoopbackOnly;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/**
 * A client's connection to the gateway of a node: its spaces and its blobs. Comes back by itself
 * when the connection breaks; {@link #lost} tells when it gave up. Safe for all threads; calls
 * wait.
 */
public final class GatewayConnection implements AutoCloseable {
  private static final long CLOSE_MILLIS = 2000;
  private static final Duration RENEWALS = Duration.ofMinutes(10);

  private final ClientLink link;
  private final RemoteEngine engine;
  private final RemoteBlobStore blobs;

  private GatewayConnection(ClientLink link, RemoteEngine engine, RemoteBlobStore blobs) {
    this.link = link;
    this.engine = engine;
    this.blobs = blobs;
  }

  /** Connects with the usual patience. */
  public static GatewayConnection connect(GatewayAddress address, Secret joinToken, String name) {
    return connect(address, joinToken, name, ConnectSettings.usual());
  }

  /**
   * Connects.
   *
   * @throws GatewayException if nothing answers or the token is refused
   * @throws io.gleaner.secrets.SecurityRefusal if the address is not loopback, as the token and
   *     everything else would go there in clear
   */
  public static GatewayConnection connect(
      GatewayAddress address, Secret joinToken, String name, ConnectSettings settings) {
    return connect(List.of(address), joinToken, name, settings);
  }

  /**
   * Connects to one of the nodes of a cluster, and comes back at any of them.
   *
   * @param addresses in the order in which they are tried; at least one
   * @throws GatewayException if none answers or the token is refused
   * @throws io.gleaner.secrets.SecurityRefusal if an address is not loopback, as the token and
   *     everything else would go there in clear
   */
  public static GatewayConnection connect(
      List<GatewayAddress> addresses, Secret joinToken, String name, ConnectSettings settings) {
    Names.require("client", name);
    List<GatewayAddress> checked =
        addresses.stream()
            .map(
                each ->
                    new GatewayAddress(
                        LoopbackOnly.check(each.host()).getHostAddress(), each.port()))
            .toList();
    return connect(checked, new Showing.Token(joinToken, name), settings);
  }

  /**
   * Connects to one of the nodes of a pool over TLS 1.3, and comes back at any of them. What this
   * client is and on whose behalf it acts is what its certificate says.
   *
   * @param addresses in the order in which they are tried; at least one
   * @param member shows the certificate and believes nodes of the pool ({@link
   *     io.gleaner.tls.Tls#context})
   * @throws GatewayException if none answers or the certificate is refused
   */
  public static GatewayConnection connect(
      List<GatewayAddress> addresses, SSLContext member, ConnectSettings settings) {
    return connect(addresses, new Showing.Certificate(member, RefusedNodes.none()), settings);
  }

  /**
   * Connects as a member of the pool: goes on showing the certificate that the member has, renewed
   * when it is time, and leaves nodes that were revoked.
   *
   * @param addresses in the order in which they are tried; at least one
   * @throws GatewayException if none answers or the certificate is refused
   */
  public static GatewayConnection connect(
      List<GatewayAddress> addresses, PoolMember member, ConnectSettings settings) {
    GatewayConnection connection =
        connect(addresses, new Showing.Certificate(member.context(), member.refused()), settings);
    connection.link.tend(() -> connection.renew(member, addresses), RENEWALS);
    return connection;
  }

  /** Renews the member's certificate if it is time, and shows the new one from now on. */
  void renew(PoolMember member, List<GatewayAddress> addresses) {
    if (member.tryToRenew(addresses)) {
      link.comeBack();
    }
  }

  private static GatewayConnection connect(
      List<GatewayAddress> addresses, Showing showing, ConnectSettings settings) {
    if (addresses.isEmpty()) {
      throw new GatewayException(Code.BAD_ADDRESS, "no address of a gateway; expected one or more");
    }
    RemoteEngine engine = new RemoteEngine();
    RemoteBlobStore blobs =
        new RemoteBlobStore(settings.giveUp().plus(settings.connect()).toMillis());
    ClientLink link =
        new ClientLink(addresses, showing, settings, Ticker.system(), List.of(engine, blobs));
    engine.use(link);
    blobs.use(link);
    GatewayConnection connection = new GatewayConnection(link, engine, blobs);
    try {
      Wire.Welcome unused =
          link.start()
              .get(
                  2L * addresses.size() * settings.connect().toMillis() + 1000,
                  TimeUnit.MILLISECONDS);
      return connection;
    } catch (ExecutionException e) {
      abandon(link);
      if (e.getCause() instanceof GatewayException refusal) {
        throw new GatewayException(refusal.code(), refusal.getMessage(), refusal);
      }
      throw new GatewayException(
          Code.UNREACHABLE, "cannot connect to the gateway at " + addresses, e.getCause());
    } catch (TimeoutException e) {
      abandon(link);
      throw new GatewayException(
          Code.UNREACHABLE, "the gateway at " + addresses + " did not answer in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      abandon(link);
      throw new GatewayException(Code.CLOSED, "interrupted while connecting to " + addresses, e);
    }
  }

  /**
   * Opens a session in one of the node's spaces; the caller closes it. An application has spaces of
   * its owner only: where the name says none, {@code notes} is {@code owner/notes}.
   *
   * @throws java.rmi.RemoteException if the connection is lost
   */
  public TupleSpace space(String spaceName) throws java.rmi.RemoteException {
    String name = SpaceClient.requireName(spaceName);
    boolean isOwn = role().equals(PoolRole.APPLICATION.text()) && name.indexOf('/') < 0;
    return SpaceClient.open(engine, isOwn ? owner() + "/" + name : name, "");
  }

  /** The space engine of the node, for a session of one's own. */
  public SpaceEngine engine() {
    return engine;
  }

  /** The blobs of the node. */
  public BlobStore blobs() {
    return blobs;
  }

  /** The user on whose behalf this client acts: the owner of its join token. */
  public String owner() {
    return link.welcome().getOwner();
  }

  /** What this client is: the role of its join token. */
  public String role() {
    return link.welcome().getRole();
  }

  /** Whether the connection is there now. */
  public boolean isUp() {
    return link.isUp();
  }

  /** Whether this connection broke for good or was closed. Then connect anew. */
  public boolean isOver() {
    return engine.isOver();
  }

  /**
   * Whether a session of this connection has ended while it was away. Its spaces go on in new
   * sessions, but transactions and registrations of the old one are gone.
   */
  public boolean hasLostSessions() {
    return engine.hasLostSessions();
  }

  /**
   * Completes with the reason when the connection broke for good; a new one has to be made then.
   */
  public CompletableFuture<GatewayException> lost() {
    return link.lost().copy();
  }

  /** Ends all sessions and closes; takes at most a few seconds. */
  @Override
  public void close() {
    await(link.close());
  }

  private static void abandon(ClientLink link) {
    var unused = link.close();
  }

  private static void await(CompletableFuture<Void> closing) {
    try {
      closing.get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      org.slf4j.LoggerFactory.getLogger(GatewayConnection.class)
          .warn("the connection did not close in order", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
