package io.gleaner.space.core;

/** Names one question of one cell to one bucket; never used twice. */
record ProbeId(int cell, long number) {
  @Override
  public int hashCode() {
    return Long.hashCode(number) * 31 + cell;
  }
}
