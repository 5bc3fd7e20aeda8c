package io.gleaner.idle;

import org.freedesktop.dbus.types.UInt32;

/**
 * Whether the connection costs by the byte, as NetworkManager knows or guesses it. Where it does
 * not run, nobody has marked a connection as metered.
 */
final class NetworkSensor implements Sensor<Boolean> {
  private static final String MANAGER = "org.freedesktop.NetworkManager";
  private static final int YES = 1;
  private static final int GUESS_YES = 3;

  private final Bus system;

  NetworkSensor(Buses buses) {
    this.system = new Bus(buses.system());
  }

  @Override
  public Reading<Boolean> read() {
    Reading<UInt32> metered =
        system.property(
            MANAGER, "/org/freedesktop/NetworkManager", MANAGER, "Metered", UInt32.class);
    if (metered instanceof Reading.Known<UInt32> known) {
      int value = known.value().intValue();
      return Reading.known(value == YES || value == GUESS_YES);
    }
    return metered instanceof Reading.Absent<UInt32> absent
        ? Reading.absent(absent.why())
        : Reading.unknown(((Reading.Unknown<UInt32>) metered).why());
  }
}
