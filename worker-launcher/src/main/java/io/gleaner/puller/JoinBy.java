package io.gleaner.puller;

import io.gleaner.secrets.Secret;
import java.nio.file.Path;
import java.util.Optional;

/**
 * By what a launcher gets into a market.
 *
 * @param folder where its key and certificate are, or will be
 * @param token makes it a member if it is none yet
 */
record JoinBy(Path folder, Optional<Secret> token) {}
