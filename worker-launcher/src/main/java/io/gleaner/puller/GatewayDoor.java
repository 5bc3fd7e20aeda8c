package io.gleaner.puller;

import io.gleaner.blob.BlobStore;
import io.gleaner.gateway.ConnectSettings;
import io.gleaner.gateway.GatewayAddress;
import io.gleaner.gateway.GatewayConnection;
import io.gleaner.gateway.GatewayException;
import io.gleaner.secrets.Secret;
import io.gleaner.space.TupleSpace;
import java.rmi.RemoteException;
import java.util.List;

/** The door that leads through a node's gateway. */
final class GatewayDoor implements Door {
  private static final String SPACE = "market";

  @Override
  public Stay enter(List<GatewayAddress> addresses, Secret token, String name) {
    GatewayConnection connection =
        GatewayConnection.connect(addresses, token, name, ConnectSettings.usual());
    TupleSpace space;
    try {
      space = connection.space(SPACE);
    } catch (RemoteException e) {
      connection.close();
      throw new GatewayException(
          GatewayException.Code.LOST, "the node opened no session: " + e.getMessage(), e);
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
      public String owner() {
        return connection.owner();
      }

      @Override
      public boolean over() {
        return connection.isOver() || connection.hasLostSessions();
      }

      @Override
      public void close() {
        space.close();
        connection.close();
      }
    };
  }
}
