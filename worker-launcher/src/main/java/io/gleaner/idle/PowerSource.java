package io.gleaner.idle;

/** Where the machine's power comes from. */
public enum PowerSource {
  MAINS,
  BATTERY
}
