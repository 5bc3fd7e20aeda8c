package io.gleaner.idle;

/**
 * Where the machine's power comes from.
 *
 * @param battery whether from a battery
 * @param charge of the emptiest battery in percent, 100 without one
 */
public record Power(boolean battery, int charge) {
  public static final Power MAINS = new Power(false, 100);
}
