package io.gleaner.storage;

/** This is no member of the space any more: others did not see it, and go on without it. */
public final class Expelled extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Expelled(String member) {
    super(
        "member "
            + member
            + " is not one of this space, or not any more: its other members go on without it;"
            + " drop its state and start it again to join them");
  }
}
