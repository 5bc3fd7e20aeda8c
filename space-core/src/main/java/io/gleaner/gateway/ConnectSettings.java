package io.gleaner.gateway;

import java.time.Duration;

/**
 * How patient a client is.
 *
 * @param connect how long one try to connect may take
 * @param giveUp how long it tries to come back after the connection broke
 */
public record ConnectSettings(Duration connect, Duration giveUp) {

  public ConnectSettings {
    if (connect.isNegative() || connect.isZero() || giveUp.isNegative()) {
      throw new GatewayException(
          GatewayException.Code.BAD_SETTINGS,
          "a client needs a positive time to connect and a time to give up that is not negative,"
              + " got "
              + connect
              + " and "
              + giveUp);
    }
  }

  /** Five seconds to connect, a minute to come back. */
  public static ConnectSettings usual() {
    return new ConnectSettings(Duration.ofSeconds(5), Duration.ofMinutes(1));
  }
}
