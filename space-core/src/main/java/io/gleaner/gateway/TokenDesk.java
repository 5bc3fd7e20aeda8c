package io.gleaner.gateway;

import io.gleaner.enrolment.JoinGrant;
import io.gleaner.secrets.Secret;
import io.vertx.core.Future;
import java.util.Optional;

/** Checks join tokens away from the event loop, since the database is asked. */
@FunctionalInterface
interface TokenDesk {
  Future<Optional<JoinGrant>> check(Secret token);
}
