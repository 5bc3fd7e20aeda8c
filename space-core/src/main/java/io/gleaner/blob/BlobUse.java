package io.gleaner.blob;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

/** Somebody who refers to blobs: a space, a table of bags. Safe for all threads. */
@FunctionalInterface
public interface BlobUse {

  /**
   * Which of these digests are in use, each with the users to whom it belongs, none if that is not
   * known.
   *
   * @throws IOException if that cannot be told now; then nothing is collected
   */
  Map<String, Set<String>> among(Set<String> digests) throws IOException;
}
