package io.gleaner.space.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Looks for an order of single steps that explains operations that overlapped: each step lies
 * between the call and the return of its operation. Source: Wing and Gong, Testing and verifying
 * concurrent objects, 1993; steps are put in only when a return asks for them, as in Lowe, Testing
 * for linearizability, 2016.
 *
 * <p>A look that changes nothing is put in at the first moment at which it is true: that never
 * spoils anything, and leaves little to try.
 */
final class Linearization {
  private static final int MOST_TRIED = 2_000_000;

  private final List<Operation> operations;
  private final List<Moment> moments = new ArrayList<>();
  private final Set<Integer> taken = new HashSet<>();
  private int furthest;

  /** A call or a return. */
  private record Moment(long time, int operation, boolean isReturn) {}

  /** Where the search is: the next moment, the state, and who is under way and has had its step. */
  private record Position(int moment, TupleModel state, Set<Integer> waiting, Set<Integer> done) {}

  Linearization(List<Operation> operations) {
    this.operations = operations;
    for (int i = 0; i < operations.size(); i++) {
      Operation each = operations.get(i);
      TupleModel.takenBy(each.act()).ifPresent(taken::add);
      moments.add(new Moment(each.called(), i, false));
      if (each.isAnswered()) {
        moments.add(new Moment(each.returned(), i, true));
      }
    }
    moments.sort(Comparator.comparingLong(Moment::time));
  }

  /** Empty if there is such an order, else what cannot be explained. */
  Optional<String> problem() {
    Deque<Position> open = new ArrayDeque<>();
    Set<Position> seen = new HashSet<>();
    open.push(new Position(0, TupleModel.EMPTY, Set.of(), Set.of()));
    while (!open.isEmpty()) {
      Position at = open.pop();
      if (at.moment() == moments.size()) {
        return Optional.empty();
      }
      if (!seen.add(at)) {
        continue;
      }
      if (seen.size() > MOST_TRIED) {
        throw new IllegalStateException(
            "no verdict on " + operations.size() + " operations after " + MOST_TRIED + " tries");
      }
      furthest = Math.max(furthest, at.moment());
      Moment moment = moments.get(at.moment());
      if (moment.isReturn()) {
        returned(at, moment.operation(), open);
      } else {
        Set<Integer> waiting = new HashSet<>(at.waiting());
        waiting.add(moment.operation());
        open.push(looking(at.moment() + 1, at.state(), waiting, at.done()));
      }
    }
    return Optional.of(explanation());
  }

  /** Pushes what can follow the return; the position that puts in least is tried first. */
  private void returned(Position at, int operation, Deque<Position> open) {
    if (at.done().contains(operation)) {
      Set<Integer> done = new HashSet<>(at.done());
      done.remove(operation);
      open.push(new Position(at.moment() + 1, at.state(), at.waiting(), done));
      return;
    }
    for (int other : at.waiting()) {
      if (other != operation) {
        step(at, other, open);
      }
    }
    step(at, operation, open);
  }

  private void step(Position at, int operation, Deque<Position> open) {
    for (TupleModel after : at.state().after(operations.get(operation).act(), taken)) {
      Set<Integer> waiting = new HashSet<>(at.waiting());
      waiting.remove(operation);
      Set<Integer> done = at.done();
      if (operations.get(operation).isAnswered()) {
        done = new HashSet<>(done);
        done.add(operation);
      }
      open.push(looking(at.moment(), after, waiting, done));
    }
  }

  private Position looking(int moment, TupleModel state, Set<Integer> waiting, Set<Integer> done) {
    Set<Integer> nowDone = null;
    for (int each : waiting) {
      Act act = operations.get(each).act();
      if (TupleModel.isLook(act) && !state.after(act, taken).isEmpty()) {
        nowDone = nowDone == null ? new HashSet<>(done) : nowDone;
        nowDone.add(each);
      }
    }
    if (nowDone == null) {
      return new Position(moment, state, waiting, done);
    }
    Set<Integer> rest = new HashSet<>(waiting);
    rest.removeAll(nowDone);
    return new Position(moment, state, rest, nowDone);
  }

  private String explanation() {
    Moment stuck = moments.get(furthest);
    Operation operation = operations.get(stuck.operation());
    StringBuilder text =
        new StringBuilder("no order of single steps explains ")
            .append(operation)
            .append("; before");
    operations.stream()
        .filter(each -> each.called() <= stuck.time())
        .sorted(Comparator.comparingLong(Operation::called))
        .skip(Math.max(0, countBefore(stuck) - 40))
        .forEach(each -> text.append("\n  ").append(each));
    return text.toString();
  }

  private long countBefore(Moment stuck) {
    return operations.stream().filter(each -> each.called() <= stuck.time()).count();
  }
}
