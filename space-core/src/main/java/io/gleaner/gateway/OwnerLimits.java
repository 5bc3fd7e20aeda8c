package io.gleaner.gateway;

import io.gleaner.space.SpaceEngine;

/**
 * What all connections of one owner may use together.
 *
 * @param links connections, those that may come back included
 * @param operations that have no answer yet
 * @param requestBytes of the requests that have no answer yet
 */
public record OwnerLimits(int links, int operations, long requestBytes) {
  private static final long USUAL_BYTES = 256L * 1024 * 1024;

  /** Bytes of uploads that wait to be written; who brings more is not read from. */
  long arrivingBytes() {
    return requestBytes / 4;
  }

  /** Bytes of frames that have not come whole and of answers that were not read. */
  long heldBytes() {
    return requestBytes / 2;
  }

  /** For so many connections, with ten operations for each on average. */
  public static OwnerLimits of(int links) {
    return new OwnerLimits(links, 4 * SpaceEngine.WINDOW + 10 * links, USUAL_BYTES);
  }
}
