package io.gleaner.storage;

/** Hears what the journal has of cells: for each the parts of its image, then its later records. */
public interface Recovery {

  /** A part of the image of the cell after its input of that number; parts come in order. */
  void image(int cell, long number, byte[] part);

  /** An input after the image; numbers of a cell follow each other. */
  void record(int cell, long number, byte[] record);
}
