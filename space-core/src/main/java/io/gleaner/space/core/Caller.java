package io.gleaner.space.core;

/** Who waits for an answer; only the host knows what it is. */
public interface Caller {

  /** Hears nothing: the caller of a request that is replayed. */
  Caller NOBODY = new Caller() {};
}
