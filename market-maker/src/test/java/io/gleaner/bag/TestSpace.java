package io.gleaner.bag;

import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TupleSpace;
import java.io.UncheckedIOException;
import java.rmi.RemoteException;

/** A real space for one test: an embedded Hazelcast member of its own. */
public final class TestSpace implements AutoCloseable {
  private final HazelcastSpace engine;
  private final TupleSpace client;

  private TestSpace(HazelcastSpace engine) throws RemoteException {
    this.engine = engine;
    this.client = SpaceClient.open(engine, "market", "test");
  }

  public static TestSpace open() {
    try {
      return new TestSpace(HazelcastSpace.start(SpaceSettings.defaults()));
    } catch (RemoteException e) {
      throw new UncheckedIOException(e);
    }
  }

  public TupleSpace client() {
    return client;
  }

  @Override
  public void close() {
    client.close();
    engine.close();
  }
}
