package io.gleaner.audit;

/**
 * Who does something.
 *
 * @param name a user, or {@code -}, which no user can be called, for the node itself and for
 *     somebody who is not known
 * @param from the address, or a word for a place: {@code node}, {@code terminal}
 */
public record Actor(String name, String from) {
  /** The node itself. */
  public static final Actor NODE = new Actor("-", "node");

  public Actor {
    name = PlainText.of(name, 64);
    from = PlainText.of(from, 100);
  }

  /** Somebody at an address who has not proved a name. */
  public static Actor unknown(String from) {
    return new Actor("-", from);
  }
}
