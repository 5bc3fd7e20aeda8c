package io.gleaner.puller;

import io.gleaner.blob.BlobStore;
import io.gleaner.enrolment.JoinToken;
import io.gleaner.gateway.ConnectSettings;
import io.gleaner.gateway.GatewayAddress;
import io.gleaner.gateway.GatewayConnection;
import io.gleaner.gateway.GatewayException;
import io.gleaner.gateway.GatewayException.Code;
import io.gleaner.gateway.PoolMember;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.signing.ResultSigner;
import io.gleaner.space.TupleSpace;
import java.rmi.RemoteException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The door that leads through a node's gateway: makes this machine a member of the pool if it is
 * none, and shows its certificate. For one thread.
 */
final class GatewayDoor implements Door {
  private static final String SPACE = "market";

  private final InstantSource clock = InstantSource.system();
  private Optional<PoolMember> member = Optional.empty();

  @Override
  public Stay enter(List<GatewayAddress> addresses, JoinBy by) {
    Optional<JoinToken> token = by.token().map(JoinToken::parse);
    Optional<PoolMember> before = member.isPresent() ? member : PoolMember.in(by.folder(), clock);
    PoolMember self =
        member
            .filter(there -> !there.hasEnded())
            .orElseGet(() -> PoolMember.inOrJoined(by.folder(), addresses, token, clock));
    boolean stored = before.isPresent() && before.get().identity().equals(self.identity());
    if (stored) {
      self.tryToRenew(addresses);
    }
    GatewayConnection connection;
    try {
      connection = connect(addresses, self);
    } catch (GatewayException e) {
      if (e.code() != Code.NOT_BELIEVED || !stored || member.isPresent() || token.isEmpty()) {
        throw e;
      }
      self = joinInstead(addresses, by, token.get(), e);
      connection = connect(addresses, self);
    }
    member = Optional.of(self);
    return stay(connection, self);
  }

  /** Somebody who is not believed any more may have been given a new token. */
  private PoolMember joinInstead(
      List<GatewayAddress> addresses, JoinBy by, JoinToken token, GatewayException why) {
    try {
      return PoolMember.join(by.folder(), addresses, token, clock);
    } catch (GatewayException | SecurityRefusal e) {
      throw new GatewayException(
          Code.NOT_BELIEVED, why.getMessage() + ". And by the token: " + e.getMessage(), e);
    }
  }

  private static GatewayConnection connect(List<GatewayAddress> addresses, PoolMember self) {
    return GatewayConnection.connect(addresses, self, ConnectSettings.usual());
  }

  private static Stay stay(GatewayConnection connection, PoolMember self) {
    TupleSpace space;
    try {
      space = connection.space(SPACE);
    } catch (RemoteException e) {
      connection.close();
      throw new GatewayException(Code.LOST, "the node opened no session: " + e.getMessage(), e);
    }
    return new Stay() {
      @Override
      public TupleSpace space() {
        return space;
      }

      @Override
      public BlobStore blobs() {
        return connection.blobs();
      }

      @Override
      public String name() {
        return self.identity().id();
      }

      @Override
      public String owner() {
        return connection.owner();
      }

      @Override
      public ResultSigner signer() {
        return statement -> Optional.of(self.sign(statement));
      }

      @Override
      public boolean over() {
        return connection.isOver() || connection.hasLostSessions();
      }

      @Override
      public Optional<GatewayException> refusal() {
        GatewayException none = new GatewayException(Code.CLOSED, "it goes on");
        return Optional.of(connection.lost().getNow(none))
            .filter(why -> why.code() == Code.TOKEN_REFUSED);
      }

      @Override
      public void close() {
        space.close();
        connection.close();
      }
    };
  }
}
