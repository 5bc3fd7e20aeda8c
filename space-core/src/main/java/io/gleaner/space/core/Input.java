package io.gleaner.space.core;

/**
 * What a cell was told, and when. The state of a cell is a function of its first image and its
 * inputs, so a replica that applies the same inputs has the same state.
 *
 * @param number counts the inputs of the cell, from 1
 * @param nowNanos the time of the cell; never less than that of the input before
 */
public record Input(long number, long nowNanos, Step step) {

  /** What a cell does at once. */
  public sealed interface Step {}

  public record Deliver(Message message) implements Step {}

  /** Does what is due. */
  public record WakeUp() implements Step {}

  /** Another host goes on with the cell. */
  public record TakeOver() implements Step {}

  /**
   * The cell was read from disk after nobody had hosted it for some time, or is new; limits may be
   * others.
   *
   * @param awayMillis how long it stood still, by clocks that may jump; 0 if it is not known
   */
  public record Restart(Limits limits, long awayMillis) implements Step {}
}
