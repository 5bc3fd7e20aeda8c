package io.gleaner.gateway;

import io.gleaner.identity.Party;
import io.gleaner.identity.Permissions;
import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Principal;
import io.gleaner.identity.Thing;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Command;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the table of {@link Permissions} says of the commands of one client. */
final class CommandRights {
  private final Principal who;
  private final boolean isDevice;
  private final Contracted contracted;

  /**
   * @param contracted what is known of its contracts
   */
  CommandRights(Principal who, Contracted contracted) {
    this.who = who;
    this.isDevice = who.parties().contains(Party.DEVICE);
    this.contracted = contracted;
  }

  /** The sentence with which the command is refused, or empty. */
  Optional<String> refusal(Command command, boolean answersTakenTasks) {
    if (command instanceof Command.Write c) {
      return ofEach(
          c.entries(), Action.WRITE, new Place(c.space(), c.transaction(), 0, answersTakenTasks));
    }
    if (command instanceof Command.Match c) {
      Action action = c.mode().takes() ? Action.TAKE : Action.READ;
      return ofEach(
          c.templates(), action, new Place(c.space(), c.transaction(), c.timeoutMillis(), false));
    }
    if (command instanceof Command.Contents c) {
      return ofEach(c.templates(), Action.READ, new Place(c.space(), c.transaction(), 0, false));
    }
    if (command instanceof Command.Register c) {
      return ofEach(c.templates(), Action.HEAR, new Place(c.space(), c.transaction(), 0, false));
    }
    if (command instanceof Command.CancelWait) {
      return Optional.empty();
    }
    Action action =
        command instanceof Command.Begin || command instanceof Command.BeginForeign
            ? Action.WRITE
            : Action.CHANGE;
    return Permissions.refusal(who, action, new Thing.Plain(kindOf(command), Map.of()));
  }

  private static String kindOf(Command command) {
    if (command instanceof Command.Begin
        || command instanceof Command.Commit
        || command instanceof Command.Abort
        || command instanceof Command.TransactionState) {
      return "transaction";
    }
    if (command instanceof Command.BeginForeign || command instanceof Command.Prepare) {
      return "foreign transaction";
    }
    boolean isLease =
        command instanceof Command.RenewLease
            || command instanceof Command.CancelLease
            || command instanceof Command.RenewLeases
            || command instanceof Command.CancelLeases;
    return isLease ? "lease" : command.getClass().getSimpleName();
  }

  private Optional<String> ofEach(List<EncodedEntry> entries, Action action, Place place) {
    for (EncodedEntry entry : entries) {
      Optional<String> refusal = Permissions.refusal(who, action, new Tuple(entry, place));
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    return Optional.empty();
  }

  /** What it writes, or the templates that it asks with. */
  static List<EncodedEntry> entriesOf(Command command) {
    if (command instanceof Command.Write c) {
      return c.entries();
    }
    if (command instanceof Command.Match c) {
      return c.templates();
    }
    if (command instanceof Command.Contents c) {
      return c.templates();
    }
    return List.of();
  }

  /** Where and how a command meets its entries. */
  private record Place(
      String space, long transaction, long waitMillis, boolean answersTakenTasks) {}

  /** A tuple or a template, in its place. */
  private final class Tuple implements Thing {
    private final EncodedEntry entry;
    private final Place place;

    Tuple(EncodedEntry entry, Place place) {
      this.entry = entry;
      this.place = place;
    }

    @Override
    public String kind() {
      return isDevice ? MarketTypes.kindOf(entry.type()) : "entry";
    }

    @Override
    public Optional<Object> field(String name) {
      return switch (name) {
        case Permissions.SPACE -> Optional.of(place.space);
        case Permissions.TRANSACTION ->
            place.transaction == 0 ? Optional.empty() : Optional.of(place.transaction);
        case Permissions.WAIT -> Optional.of(place.waitMillis);
        case Permissions.WASM_ONLY ->
            MarketTypes.isForWasmOnly(entry) ? Optional.of(true) : Optional.empty();
        default -> entry.scalar(name);
      };
    }

    @Override
    public boolean isContracted(Object jobId) {
      return contracted.has(jobId);
    }

    @Override
    public boolean wasContracted(Object jobId) {
      return contracted.everHad(jobId);
    }

    @Override
    public boolean answersTakenTask() {
      return place.answersTakenTasks;
    }
  }
}
