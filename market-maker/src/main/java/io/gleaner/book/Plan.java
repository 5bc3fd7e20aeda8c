package io.gleaner.book;

import java.util.List;

/**
 * What a mechanism decided, in the order in which it is carried out: what ends comes before what
 * begins.
 *
 * @param mechanism name of who decided
 */
public record Plan(String mechanism, List<Action> actions) {
  public Plan {
    actions = List.copyOf(actions);
  }

  /** The actions of one kind, in order. */
  public <A extends Action> List<A> actions(Class<A> kind) {
    return actions.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
