package io.gleaner.gateway;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Command;
import java.util.List;
import java.util.Optional;

/** Which commands of a client are too large to be looked at, and how others are cut. Immutable. */
final class CommandLimits {
  private static final int LONGEST_CURSOR = 4096;

  private final GatewaySettings settings;

  CommandLimits(GatewaySettings settings) {
    this.settings = settings;
  }

  /** The sentence with which the command is refused, or empty. */
  Optional<String> refusal(Command command) {
    if (command instanceof Command.Write c) {
      return entries(c.entries());
    }
    if (command instanceof Command.Match c) {
      return entries(c.templates());
    }
    if (command instanceof Command.Contents c) {
      return entries(c.templates()).or(() -> cursor(c.cursor()));
    }
    if (command instanceof Command.Register c) {
      return entries(c.templates());
    }
    return Optional.empty();
  }

  /** The command, asking for no more entries than a batch has: what it asks for is a maximum. */
  Command fitted(Command command) {
    if (command instanceof Command.Match c && c.limit() > settings.batchEntries()) {
      return new Command.Match(
          c.space(),
          c.mode(),
          c.templates(),
          c.transaction(),
          c.timeoutMillis(),
          settings.batchEntries(),
          c.lookFirst());
    }
    if (command instanceof Command.Contents c && c.limit() > settings.batchEntries()) {
      return new Command.Contents(
          c.space(), c.templates(), c.transaction(), c.cursor(), settings.batchEntries());
    }
    return command;
  }

  private Optional<String> entries(List<EncodedEntry> entries) {
    if (entries.size() > settings.batchEntries()) {
      return count(entries.size());
    }
    return entries.stream()
        .filter(entry -> entry.sizeBytes() > settings.entryBytes())
        .findFirst()
        .map(
            entry ->
                "an entry of class "
                    + entry.type().name()
                    + " has "
                    + entry.sizeBytes()
                    + " bytes, at most "
                    + settings.entryBytes()
                    + " are allowed; put large content into a blob and its digest into the entry");
  }

  private Optional<String> count(int entries) {
    return entries <= settings.batchEntries()
        ? Optional.empty()
        : Optional.of(
            entries
                + " entries in one command, at most "
                + settings.batchEntries()
                + " are allowed; use several commands");
  }

  private static Optional<String> cursor(String cursor) {
    return cursor.length() <= LONGEST_CURSOR
        ? Optional.empty()
        : Optional.of("a cursor has at most " + LONGEST_CURSOR + " characters");
  }
}
