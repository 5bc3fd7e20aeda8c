package io.gleaner.authority;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.time.Duration;

/**
 * How long what an authority issues is valid.
 *
 * @param pool the name of the pool
 * @param authorityLife of the authority's own certificate; 10 years
 * @param serverLife of a node's certificate; 90 days
 * @param deviceLife of every other certificate; 90 days
 * @param backdate how long before now a certificate begins, for clocks that are behind; 5 minutes
 */
public record AuthoritySettings(
    String pool,
    Duration authorityLife,
    Duration serverLife,
    Duration deviceLife,
    Duration backdate) {
  private static final Duration SHORTEST = Duration.ofMinutes(10);

  public AuthoritySettings {
    PoolIdentity.requirePool(pool);
    if (serverLife.compareTo(SHORTEST) < 0
        || deviceLife.compareTo(SHORTEST) < 0
        || authorityLife.compareTo(serverLife) < 0
        || authorityLife.compareTo(deviceLife) < 0) {
      throw new SecurityRefusal(
          Code.INVALID,
          "certificates live for at least "
              + SHORTEST
              + " and not longer than their authority, got authority "
              + authorityLife
              + ", server "
              + serverLife
              + ", device "
              + deviceLife);
    }
    if (backdate.isNegative() || backdate.compareTo(Duration.ofDays(1)) > 0) {
      throw new SecurityRefusal(
          Code.INVALID, "certificates begin up to a day before now, got " + backdate);
    }
  }

  public static AuthoritySettings of(String pool) {
    return new AuthoritySettings(
        pool,
        Duration.ofDays(3652),
        Duration.ofDays(90),
        Duration.ofDays(90),
        Duration.ofMinutes(5));
  }

  Duration life(PoolRole role) {
    return role == PoolRole.NODE ? serverLife : deviceLife;
  }
}
