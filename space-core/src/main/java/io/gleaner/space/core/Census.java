package io.gleaner.space.core;

/**
 * What a cell holds for operations, transactions and sessions that are not over. When nobody uses
 * the space it is empty, or something has leaked.
 *
 * @param hidden entries that are locked or reserved
 * @param parts sessions that have records in the cell
 * @param letters that others have not acknowledged
 */
record Census(
    int hidden,
    int reservations,
    int waiters,
    int questions,
    int participations,
    int transactions,
    int registrations,
    int parts,
    int sessions,
    int letters) {

  static final Census NOTHING = new Census(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  Census plus(Census other) {
    return new Census(
        hidden + other.hidden,
        reservations + other.reservations,
        waiters + other.waiters,
        questions + other.questions,
        participations + other.participations,
        transactions + other.transactions,
        registrations + other.registrations,
        parts + other.parts,
        sessions + other.sessions,
        letters + other.letters);
  }

  boolean isEmpty() {
    return equals(NOTHING);
  }
}
