package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The buckets of this cell, and the questions that reach them. */
final class Buckets {
  private static final Reply.Refused NOT_TAKEN =
      new Reply.Refused(
          Reply.Refusal.FORBIDDEN,
          "the transaction has not taken what this write is allowed by, or has used it already");

  /** Names a question that is put to no cell. */
  private static final ProbeId NOBODY = new ProbeId(0, 0);

  private final Context context;
  private final Directories directories;
  private final Participants participants;
  private final Map<BucketKey, Bucket> byKey = new LinkedHashMap<>();
  private final List<Bucket> byNumber = new ArrayList<>();

  Buckets(Context context, Directories directories, Participants participants) {
    this.context = context;
    this.directories = directories;
    this.participants = participants;
    directories.onAnnounced(this::announced);
  }

  private Bucket bucket(BucketKey key) {
    Bucket bucket = byKey.get(key);
    if (bucket == null) {
      bucket = new Bucket(context, key, byNumber.size());
      byKey.put(key, bucket);
      byNumber.add(bucket);
    }
    return bucket;
  }

  /** The bucket of an entry's lease. */
  Optional<Bucket> ofLease(String home) {
    int number = EntryHome.bucketOf(home);
    return EntryHome.cellOf(home) == context.cell && number >= 0 && number < byNumber.size()
        ? Optional.of(byNumber.get(number))
        : Optional.empty();
  }

  void on(Message.Put message) {
    if (directories.isAnnounced(message.bucket().space(), message.bucket().type())) {
      within(message.transaction(), message);
    } else {
      directories.announce(message);
    }
  }

  private void announced(Message.Put message, String refusal) {
    if (refusal.isEmpty()) {
      within(message.transaction(), message);
    } else {
      refuse(message.id(), new Reply.Refused(Reply.Refusal.LIMIT, refusal));
    }
  }

  void on(Message.Probe message) {
    within(message.transaction(), message);
  }

  void on(Message.Scout message) {
    Participation by = participants.of(message.transaction());
    List<Integer> promising = new ArrayList<>();
    boolean locked = false;
    for (int i = 0; i < message.buckets().size(); i++) {
      Bucket bucket = byKey.get(message.buckets().get(i));
      if (bucket != null && bucket.isInUse()) {
        Message.Probe probe = message.probe(bucket.key());
        if (bucket.isPromising(probe, by)) {
          promising.add(i);
        } else {
          locked |= bucket.isLocked(probe);
        }
      }
    }
    context.send(message.id().cell(), new Message.Scouted(message.id(), promising, locked));
  }

  void on(Message.Page message) {
    within(message.transaction(), message);
  }

  void on(Message.Spend message) {
    within(message.transaction(), message);
  }

  void on(Message.Unspend message) {
    participants.known(message.transaction()).ifPresent(by -> by.unspend(message.id()));
  }

  private void within(long transaction, Message question) {
    if (transaction == 0) {
      answer(question, null);
    } else {
      participants.within(transaction, new Question(question));
    }
  }

  /** A question under a transaction. */
  private final class Question implements Participation.Step {
    private final Message question;

    Question(Message question) {
      this.question = question;
    }

    @Override
    public void within(Participation by) {
      answer(question, by);
    }

    @Override
    public void refused(Reply.Refused refusal) {
      if (question instanceof Message.Put put) {
        refuse(put.id(), refusal);
      } else if (question instanceof Message.Probe probe) {
        refuse(probe.id(), refusal);
      } else if (question instanceof Message.Page page) {
        refuse(page.id(), refusal);
      } else if (question instanceof Message.Spend spend) {
        refuse(spend.id(), refusal);
      }
    }

    @Override
    public void saveReference(StateWriter to) {
      to.flag(false);
      MessageCodec.write(to, question);
    }
  }

  private void answer(Message question, Participation by) {
    if (question instanceof Message.Put put) {
      List<Reply.Granted> leases = bucket(put.bucket()).put(put, by);
      context.send(put.id().cell(), new Message.PutDone(put.id(), leases));
    } else if (question instanceof Message.Probe probe) {
      bucket(probe.bucket()).probe(probe, by);
    } else if (question instanceof Message.Page page) {
      context.send(page.id().cell(), bucket(page.bucket()).page(page, by));
    } else if (question instanceof Message.Spend spend) {
      if (by != null && by.spend(spend)) {
        context.send(spend.id().cell(), new Message.PutDone(spend.id(), List.of()));
      } else if (by != null && by.reservations > 0) {
        // The client may know that it has it before this bucket does.
        by.delayed.add(new Question(spend));
      } else {
        refuse(spend.id(), NOT_TAKEN);
      }
    }
  }

  Reply.Listed look(Message.Look look) {
    if (look.holder() != 0) {
      return new Reply.Listed(taken(look), "");
    }
    Bucket bucket = byKey.get(look.bucket());
    if (bucket == null) {
      return new Reply.Listed(List.of(), "");
    }
    Message.Listing seen =
        bucket.page(
            new Message.Page(
                NOBODY, look.bucket(), look.templates(), 0, look.after(), look.limit()),
            null);
    return new Reply.Listed(seen.entries(), seen.more() ? Long.toString(seen.last()) : "");
  }

  private List<EncodedEntry> taken(Message.Look look) {
    return participants.known(look.holder()).stream()
        .flatMap(by -> by.taken.values().stream())
        .filter(stored -> stored.bucket.key().equals(look.bucket()))
        .map(stored -> stored.entry)
        .filter(entry -> look.templates().stream().anyMatch(each -> each.matches(entry)))
        .limit(look.limit())
        .toList();
  }

  void on(Message.Settle message) {
    Participation by = bucket(message.bucket()).settle(message.id(), message.accepted());
    participants.reservationsChanged(by);
  }

  void on(Message.Keep message) {
    bucket(message.bucket()).keep(message.id());
  }

  void on(Message.Watch message) {
    bucket(message.bucket()).watches().add(message.watcher());
    context.send(message.id().cell(), new Message.Watching(message.id()));
  }

  void on(Message.Unwatch message) {
    bucket(message.bucket()).watches().remove(message.registration());
  }

  Set<String> named(Set<String> digests) {
    Set<String> found = new LinkedHashSet<>();
    byNumber.forEach(bucket -> bucket.addNamed(digests, found));
    return found;
  }

  void restartLeases() {
    byNumber.forEach(bucket -> bucket.leases().restart());
  }

  /**
   * After a restart.
   *
   * @param awayMillis for how long no time passed here
   */
  void goOnWithLeases(long awayMillis) {
    byNumber.forEach(bucket -> bucket.leases().goOn(awayMillis));
  }

  /** Entries of transient classes are gone after a restart, whatever was on disk of them. */
  void dropTransient() {
    for (Bucket bucket : byNumber) {
      if (bucket.key().type().transientEntries()) {
        bucket.leases().endAll();
      }
    }
  }

  private void refuse(ProbeId id, Reply.Refused refusal) {
    context.send(id.cell(), new Message.ProbeRefused(id, refusal));
  }

  Census census() {
    Census sum = Census.NOTHING;
    for (Bucket bucket : byNumber) {
      sum = sum.plus(bucket.census());
    }
    return sum;
  }

  Bucket numbered(int number) {
    return byNumber.get(number);
  }

  /** An entry by where it lies. */
  Stored stored(StateReader from) {
    return byNumber.get(from.size()).stored(from.count());
  }

  void saveEntries(StateWriter to) {
    to.count(byNumber.size());
    for (Bucket bucket : byNumber) {
      to.bucket(bucket.key());
      bucket.saveEntries(to);
    }
  }

  void loadEntries(StateReader from) {
    for (int rest = from.size(); rest > 0; rest--) {
      bucket(from.bucket()).loadEntries(from);
    }
  }

  void saveProbes(StateWriter to) {
    byNumber.forEach(bucket -> bucket.saveProbes(to));
  }

  void loadProbes(StateReader from) {
    byNumber.forEach(bucket -> bucket.loadProbes(from, participants));
  }

  Participation.Step loadQuestion(StateReader from) {
    return new Question(MessageCodec.read(from));
  }
}
