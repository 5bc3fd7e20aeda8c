package io.gleaner.space.core;

import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import java.util.OptionalInt;

/**
 * One page of a listing that is no operation: its cells are looked into one after the other, none
 * of them changes, and nobody keeps a record of it. Whoever begins it again lists anew. For one
 * thread at a time.
 */
public final class Browse {
  private final Command.Contents command;
  private final Pages pages;
  private final int cells;

  Browse(Command.Contents command, Pages pages, int cells) {
    this.command = command;
    this.pages = pages;
    this.cells = cells;
  }

  /** The cell to look into next; empty when it is over. */
  public OptionalInt cell() {
    return pages.isOver() ? OptionalInt.empty() : OptionalInt.of(pages.bucket().cell(cells));
  }

  /** What to ask that cell. */
  public Message.Look look(Caller caller) {
    return new Message.Look(
        caller, pages.bucket(), command.templates(), pages.after(), pages.room());
  }

  /** Takes the answer of {@link Cell#look}. */
  public void add(Reply.Listed seen) {
    boolean more = !seen.cursor().isEmpty();
    pages.add(seen.entries(), more ? Long.parseLong(seen.cursor()) : 0, more);
  }

  /** The answer, once it is over. */
  public Reply.Listed reply() {
    return pages.reply();
  }
}
