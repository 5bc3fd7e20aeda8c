package io.gleaner.description;

/** A position in the text of a description, both numbers from 1. */
record Place(int line, int column) {
  static final Place START = new Place(1, 1);
}
