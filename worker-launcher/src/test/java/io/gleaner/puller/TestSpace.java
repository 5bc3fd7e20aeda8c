package io.gleaner.puller;

import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TupleSpace;
import java.io.UncheckedIOException;
import java.rmi.RemoteException;

/** A real space for one test: an embedded Hazelcast member of its own. */
final class TestSpace implements AutoCloseable {
  private final HazelcastSpace engine;
  private final TupleSpace space;

  private TestSpace(HazelcastSpace engine) throws RemoteException {
    this.engine = engine;
    this.space = SpaceClient.open(engine, "market", "test");
  }

  static TestSpace open() {
    try {
      return new TestSpace(HazelcastSpace.start(SpaceSettings.defaults()));
    } catch (RemoteException e) {
      throw new UncheckedIOException(e);
    }
  }

  TupleSpace space() {
    return space;
  }

  @Override
  public void close() {
    space.close();
    engine.close();
  }
}
