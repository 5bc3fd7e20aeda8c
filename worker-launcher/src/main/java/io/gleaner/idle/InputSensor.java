package io.gleaner.idle;

import java.time.Duration;

/**
 * Since when nobody used the machine by hand: the shorter of desktop and terminals. Where a display
 * server runs and nobody tells about its keyboard, it is unknown.
 */
final class InputSensor implements Sensor<Duration> {
  private final Sensor<Duration> desktop;
  private final Sensor<Duration> terminals;
  private final SystemRoot root;

  InputSensor(Sensor<Duration> desktop, Sensor<Duration> terminals, SystemRoot root) {
    this.desktop = desktop;
    this.terminals = terminals;
    this.root = root;
  }

  @Override
  public Reading<Duration> read() {
    Reading<Duration> typed = terminals.read();
    Reading<Duration> touched = desktop.read();
    if (touched instanceof Reading.Known<Duration> d) {
      return typed instanceof Reading.Known<Duration> t && t.value().compareTo(d.value()) < 0
          ? typed
          : touched;
    }
    return DesktopSensor.displayServer(root) ? touched : typed;
  }
}
