package io.gleaner.space;

/**
 * Names what a lease keeps alive.
 *
 * @param kind what it is
 * @param home the cell that owns it, as text: where a renewal is sent
 * @param id its number there
 */
public record LeaseId(Kind kind, String home, long id) {

  /** What a lease can keep alive. */
  public enum Kind {
    ENTRY,
    TRANSACTION,
    REGISTRATION
  }
}
