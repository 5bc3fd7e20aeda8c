package io.gleaner.verification;

import io.gleaner.tuple.ResultEntry;
import java.io.IOException;
import java.util.Optional;

/** Whether a result is signed as it has to be. Safe for all threads. */
@FunctionalInterface
public interface ResultSignatures {
  /** For launchers without certificates, as in tests without TLS. */
  ResultSignatures NOT_ASKED = (result, owner) -> Optional.empty();

  /**
   * The sentence that refuses a whole result with a digest, or empty.
   *
   * @param owner of the launcher, as its contract says
   * @throws IOException if that cannot be told now
   */
  Optional<String> refusal(ResultEntry result, String owner) throws IOException;
}
