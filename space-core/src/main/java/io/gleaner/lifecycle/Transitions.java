package io.gleaner.lifecycle;

import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A state machine as one table of (from, event, to); immutable and safe for all threads.
 *
 * <p>Any pair that the table does not list is refused. {@link #diagram} draws the table as
 * PlantUML, so that documents cannot disagree with the code.
 *
 * @param <S> the states
 * @param <E> the events
 */
public final class Transitions<S extends Enum<S>, E extends Enum<E>> {

  /** One row of the table. */
  public record Row<S, E>(S from, E event, S to) {}

  private final Map<S, Map<E, S>> table;
  private final Set<Row<S, E>> rows;

  private Transitions(Map<S, Map<E, S>> table, Set<Row<S, E>> rows) {
    this.table = table;
    this.rows = rows;
  }

  /** Starts a table for the two enums. */
  public static <S extends Enum<S>, E extends Enum<E>> Builder<S, E> of(
      Class<S> states, Class<E> events) {
    return new Builder<>(states, events);
  }

  /** The state after the event, or empty where the table refuses it. */
  public Optional<S> next(S from, E event) {
    return Optional.ofNullable(table.getOrDefault(from, Map.of()).get(event));
  }

  /**
   * The state after the event.
   *
   * @throws IllegalStateException if the table does not list the pair
   */
  public S require(S from, E event) {
    return next(from, event)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    event + " is not allowed in state " + from + "; allowed: " + allowed(from)));
  }

  /** The events that the state accepts. */
  public Set<E> allowed(S from) {
    return Set.copyOf(table.getOrDefault(from, Map.of()).keySet());
  }

  /** Every row, in the order written. */
  public Set<Row<S, E>> rows() {
    return rows;
  }

  /** The table as a PlantUML state diagram. */
  public String diagram() {
    StringBuilder uml = new StringBuilder("@startuml\n");
    for (Row<S, E> row : rows) {
      uml.append(row.from()).append(" --> ").append(row.to()).append(" : ").append(row.event());
      uml.append('\n');
    }
    return uml.append("@enduml\n").toString();
  }

  /** Collects rows; not for sharing between threads. */
  public static final class Builder<S extends Enum<S>, E extends Enum<E>> {
    private final Map<S, Map<E, S>> table;
    private final Class<E> events;
    private final Set<Row<S, E>> rows = new LinkedHashSet<>();

    private Builder(Class<S> states, Class<E> events) {
      this.table = new EnumMap<>(states);
      this.events = events;
    }

    /** Adds a row; a second target for the same pair is a programming error. */
    public Builder<S, E> row(S from, E event, S to) {
      S before = table.computeIfAbsent(from, s -> new EnumMap<>(events)).put(event, to);
      if (before != null) {
        throw new IllegalArgumentException(from + " on " + event + " is listed twice");
      }
      rows.add(new Row<>(from, event, to));
      return this;
    }

    public Transitions<S, E> build() {
      return new Transitions<>(table, java.util.Collections.unmodifiableSet(rows));
    }
  }
}
