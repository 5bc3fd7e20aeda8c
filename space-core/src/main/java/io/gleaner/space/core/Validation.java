package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Refuses commands that are too large or make no sense, before they touch anything. */
final class Validation {
  private static final Optional<Reply.Refused> FINE = Optional.empty();

  private final Supplier<Limits> all;
  private Limits limits;

  /** With the limits as they are when a command comes. */
  Validation(Supplier<Limits> all) {
    this.all = all;
  }

  Optional<Reply.Refused> check(Command command) {
    limits = all.get();
    if (command instanceof Command.Write write) {
      return first(
          space(write.space()),
          count("entries", write.entries().size(), limits.batchEntries()),
          entries(write.entries()),
          batchSize(write.entries()),
          leases(write.leaseMillis()),
          spends(write));
    } else if (command instanceof Command.Match match) {
      return first(
          space(match.space()),
          templates(match.templates()),
          count("entries asked for", match.limit(), limits.batchEntries()),
          duration("timeout", match.timeoutMillis(), 0));
    } else if (command instanceof Command.Contents contents) {
      return first(
          space(contents.space()),
          templates(contents.templates()),
          name("cursor", contents.cursor()),
          count("entries asked for", contents.limit(), limits.batchEntries()));
    } else if (command instanceof Command.Register register) {
      return first(
          space(register.space()),
          templates(register.templates()),
          duration("lease", register.leaseMillis(), -1));
    } else if (command instanceof Command.Begin begin) {
      return duration("lease", begin.leaseMillis(), -1);
    } else if (command instanceof Command.BeginForeign begin) {
      return first(
          name("name of a transaction manager", begin.manager()),
          begin.proxy().length() <= Limits.PROXY_LENGTH
              ? FINE
              : limit(
                  "a proxy of a transaction manager has at most "
                      + Limits.PROXY_LENGTH
                      + " characters"),
          duration("lease", begin.leaseMillis(), -1));
    } else if (command instanceof Command.RenewLease renew) {
      return duration("lease", renew.millis(), -1);
    } else if (command instanceof Command.RenewLeases renew) {
      return first(
          count("leases", renew.leases().size(), limits.batchEntries()), leases(renew.millis()));
    } else if (command instanceof Command.CancelLeases cancel) {
      return count("leases", cancel.leases().size(), limits.batchEntries());
    }
    return FINE;
  }

  @SafeVarargs
  private static Optional<Reply.Refused> first(Optional<Reply.Refused>... checks) {
    for (Optional<Reply.Refused> check : checks) {
      if (check.isPresent()) {
        return check;
      }
    }
    return FINE;
  }

  private static Optional<Reply.Refused> space(String name) {
    return name.isEmpty() ? invalid("a space needs a name") : name("name of a space", name);
  }

  private Optional<Reply.Refused> templates(List<EncodedEntry> templates) {
    return first(count("templates", templates.size(), limits.templates()), entries(templates));
  }

  private Optional<Reply.Refused> entries(Collection<EncodedEntry> entries) {
    EntryType checked = null;
    for (EncodedEntry entry : entries) {
      if (entry.sizeBytes() > limits.entryBytes()) {
        return limit(
            entry
                + " is longer than the "
                + limits.entryBytes()
                + " bytes an entry may have; keep"
                + " large values in the blob store");
      }
      if (!entry.type().equals(checked)) {
        checked = entry.type();
        var wrong = type(checked);
        if (wrong.isPresent()) {
          return wrong;
        }
      }
    }
    return FINE;
  }

  private Optional<Reply.Refused> spends(Command.Write write) {
    if (write.spends().isEmpty()) {
      return FINE;
    }
    if (write.transaction() == 0) {
      return invalid("a write that spends what a transaction took belongs to that transaction");
    }
    return first(
        count("entries to spend", write.spends().size(), limits.batchEntries()),
        entries(write.spends().stream().map(Command.Spend::entry).toList()));
  }

  private static Optional<Reply.Refused> type(EntryType type) {
    if (type.fieldNames().size() > Limits.FIELDS || type.supertypes().size() > Limits.FIELDS) {
      return limit("an entry class has at most " + Limits.FIELDS + " fields and superclasses");
    }
    if (type.name().contains("|")) {
      return invalid("the name of a class has no '|'");
    }
    var wrong = name("name of a class", type.name());
    for (String supertype : type.supertypes()) {
      wrong = first(wrong, name("name of a class", supertype));
    }
    for (String field : type.fieldNames()) {
      wrong = first(wrong, name("name of a field", field));
    }
    return wrong;
  }

  private Optional<Reply.Refused> batchSize(List<EncodedEntry> entries) {
    long bytes = 0;
    for (EncodedEntry entry : entries) {
      bytes += entry.sizeBytes();
    }
    return bytes <= limits.batchBytes()
        ? FINE
        : limit(bytes + " bytes in one write, at most " + limits.batchBytes() + "; write in parts");
  }

  private static Optional<Reply.Refused> leases(List<Long> millis) {
    for (long each : millis) {
      if (each < -1) {
        return invalid("a lease of " + each + " ms; expected 0 or more, FOREVER or ANY");
      }
    }
    return FINE;
  }

  private static Optional<Reply.Refused> duration(String what, long millis, long least) {
    return millis >= least
        ? FINE
        : invalid("a " + what + " of " + millis + " ms; expected at least " + least);
  }

  private static Optional<Reply.Refused> count(String what, int count, int most) {
    if (count < 1) {
      return invalid("no " + what + "; expected at least one");
    }
    return count <= most ? FINE : limit(count + " " + what + ", at most " + most);
  }

  private static Optional<Reply.Refused> name(String what, String name) {
    return name.length() <= Limits.NAME_LENGTH
        ? FINE
        : limit("a " + what + " has at most " + Limits.NAME_LENGTH + " characters");
  }

  private static Optional<Reply.Refused> invalid(String message) {
    return Optional.of(new Reply.Refused(Reply.Refusal.INVALID, message));
  }

  private static Optional<Reply.Refused> limit(String message) {
    return Optional.of(new Reply.Refused(Reply.Refusal.LIMIT, message));
  }
}
