package io.gleaner.transaction;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides one transaction; for one thread. It counts who took part, who is prepared and who has
 * carried out the decision; whoever hosts it sends the messages.
 */
public final class Coordinator {
  private final long ownerSession;
  private final Set<Integer> participants = new LinkedHashSet<>();
  private final Set<Integer> unprepared = new LinkedHashSet<>();
  private final Set<Integer> unended = new LinkedHashSet<>();
  private TransactionPhase phase = TransactionPhase.ACTIVE;

  public Coordinator(long ownerSession) {
    this.ownerSession = ownerSession;
  }

  /** One that goes on where another one was. */
  public static Coordinator of(long ownerSession, State state) {
    Coordinator coordinator = new Coordinator(ownerSession);
    coordinator.phase = state.phase();
    coordinator.participants.addAll(state.participants());
    coordinator.unprepared.addAll(state.unprepared());
    coordinator.unended.addAll(state.unended());
    return coordinator;
  }

  /** How far it is: its phase and the cells that take part, are unprepared and have not ended. */
  public record State(
      TransactionPhase phase,
      List<Integer> participants,
      List<Integer> unprepared,
      List<Integer> unended) {
    public State {
      participants = List.copyOf(participants);
      unprepared = List.copyOf(unprepared);
      unended = List.copyOf(unended);
    }
  }

  public State state() {
    return new State(
        phase, List.copyOf(participants), List.copyOf(unprepared), List.copyOf(unended));
  }

  public long ownerSession() {
    return ownerSession;
  }

  public TransactionPhase phase() {
    return phase;
  }

  /** Who took part so far, in the order in which they joined. */
  public Set<Integer> participants() {
    return Collections.unmodifiableSet(new LinkedHashSet<>(participants));
  }

  /** Lets a cell take part; false once the end has begun. */
  public boolean join(int cell) {
    if (phase != TransactionPhase.ACTIVE) {
      return false;
    }
    participants.add(cell);
    return true;
  }

  /** Whether the event is possible now; if so the phase has moved. */
  public boolean on(TransactionPhase.Event event) {
    var next = TransactionPhase.TRANSITIONS.next(phase, event);
    next.ifPresent(this::enter);
    return next.isPresent();
  }

  private void enter(TransactionPhase next) {
    phase = next;
    switch (next) {
      case ACTIVE -> throw new IllegalStateException("a transaction does not become active again");
      case PREPARED -> {}
      case VOTING, PREPARING, COMMITTING -> unprepared.addAll(participants);
      case COMMITTED, ABORTED -> unended.addAll(participants);
    }
  }

  /** A participant is prepared; true when it was the last. */
  public boolean prepared(int cell) {
    return unprepared.remove(cell) && unprepared.isEmpty();
  }

  /** A participant has carried out the decision. */
  public void ended(int cell) {
    unended.remove(cell);
  }

  /** Whether it is decided and everybody has carried it out. */
  public boolean isOver() {
    return (phase == TransactionPhase.COMMITTED || phase == TransactionPhase.ABORTED)
        && unended.isEmpty();
  }
}
