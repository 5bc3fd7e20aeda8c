package io.gleaner.gateway;

/** Bytes that are not of the protocol; the connection they came by is closed. */
final class MalformedFrame extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedFrame(String message) {
    super(message);
  }
}
