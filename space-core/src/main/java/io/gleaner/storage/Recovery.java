package io.gleaner.storage;

/**
 * Hears what the journal has of cells: for each the parts of its image, then its later records, and
 * when that was all.
 */
public interface Recovery {

  /** A part of the image of the cell after its input of that number; parts come in order. */
  void image(int cell, long number, byte[] part);

  /** An input after the image; numbers of a cell follow each other. */
  void record(int cell, long number, byte[] record);

  /**
   * There is no more of the cell.
   *
   * @param millis the time of day at which its last input came, since 1970
   */
  default void end(int cell, long millis) {}
}
