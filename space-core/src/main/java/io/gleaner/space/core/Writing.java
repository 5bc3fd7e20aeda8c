package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import io.gleaner.transaction.TransactionPhase;
import io.gleaner.transaction.TransactionPhase.Event;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One write of one or many entries. What goes to several buckets without a transaction gets one of
 * its own, so that all of it appears or none.
 */
final class Writing implements Coordinators.Waiting, Questions.Asker {
  static final int KIND = 2;

  private final Context context;
  private final Questions questions;
  private final Coordinators coordinators;
  private final Call call;
  private final Command.Write command;
  private final Reply.Granted[] leases;
  private final Map<ProbeId, List<Integer>> open = new LinkedHashMap<>();

  /** What it asks to spend and has spent. */
  private final Map<ProbeId, BucketKey> spending = new LinkedHashMap<>();

  private final Map<ProbeId, BucketKey> spent = new LinkedHashMap<>();
  private long ownTransaction;
  private Reply.Refused refused;

  Writing(
      Context context,
      Questions questions,
      Coordinators coordinators,
      Call call,
      Command.Write command) {
    this.context = context;
    this.questions = questions;
    this.coordinators = coordinators;
    this.call = call;
    this.command = command;
    this.leases = new Reply.Granted[command.entries().size()];
  }

  void start() {
    if (command.spends().isEmpty()) {
      putAll();
      return;
    }
    Map<BucketKey, List<Command.Spend>> byBucket = new LinkedHashMap<>();
    for (Command.Spend spend : command.spends()) {
      byBucket
          .computeIfAbsent(BucketKey.of(command.space(), spend.entry()), b -> new ArrayList<>())
          .add(spend);
    }
    byBucket.forEach(
        (bucket, spends) -> {
          ProbeId id = questions.ask(this);
          spending.put(id, bucket);
          context.send(
              bucket.cell(context.cells),
              new Message.Spend(id, bucket, spends, command.transaction()));
        });
  }

  /** Writes if all could be spent, else gives back what was. */
  private void goOnIfSpent() {
    if (spending.isEmpty() && refused == null) {
      putAll();
    } else if (spending.isEmpty()) {
      refuse();
    }
  }

  private void refuse() {
    spent.forEach(
        (id, bucket) ->
            context.send(
                bucket.cell(context.cells), new Message.Unspend(id, command.transaction())));
    spent.clear();
    call.answer(refused);
  }

  private void putAll() {
    Map<BucketKey, List<Integer>> byBucket = new LinkedHashMap<>();
    for (int i = 0; i < leases.length; i++) {
      BucketKey bucket = BucketKey.of(command.space(), command.entries().get(i));
      byBucket.computeIfAbsent(bucket, b -> new ArrayList<>()).add(i);
    }
    if (byBucket.size() > 1 && command.transaction() == 0) {
      ownTransaction = coordinators.beginOwn(call.session);
    }
    byBucket.forEach(this::put);
  }

  private void put(BucketKey bucket, List<Integer> positions) {
    List<EncodedEntry> entries = positions.stream().map(command.entries()::get).toList();
    List<Long> millis = positions.stream().map(command.leaseMillis()::get).toList();
    ProbeId id = questions.ask(this);
    open.put(id, positions);
    long transaction = ownTransaction != 0 ? ownTransaction : command.transaction();
    context.send(
        bucket.cell(context.cells), new Message.Put(id, bucket, entries, millis, transaction));
  }

  @Override
  public void done(ProbeId id, List<Reply.Granted> granted) {
    BucketKey paid = spending.remove(id);
    if (paid != null) {
      spent.put(id, paid);
      goOnIfSpent();
      return;
    }
    List<Integer> positions = open.remove(id);
    for (int i = 0; i < granted.size(); i++) {
      leases[positions.get(i)] = granted.get(i);
    }
    finishIfComplete();
  }

  @Override
  public void refused(ProbeId id, Reply.Refused refusal) {
    refused = refusal;
    if (spending.containsKey(id)) {
      spending.remove(id);
      goOnIfSpent();
      return;
    }
    open.remove(id);
    finishIfComplete();
  }

  private void finishIfComplete() {
    if (!open.isEmpty()) {
      return;
    }
    if (ownTransaction == 0) {
      if (refused == null) {
        call.answer(new Reply.Written(Arrays.asList(leases)));
      } else {
        refuse();
      }
      return;
    }
    Event event = refused == null ? Event.COMMIT_ASKED : Event.ABORT_ASKED;
    boolean ending = coordinators.end(ownTransaction, event, call);
    if (!ending) {
      call.answer(refused != null ? refused : Participants.UNKNOWN);
    }
  }

  @Override
  public void over(TransactionPhase phase) {
    if (refused != null) {
      call.answer(refused);
    } else if (phase == TransactionPhase.COMMITTED) {
      call.answer(new Reply.Written(Arrays.asList(leases)));
    } else {
      call.answer(Participants.UNKNOWN);
    }
  }

  @Override
  public boolean abandon() {
    return true;
  }

  @Override
  public void saveReference(StateWriter to) {
    to.count(Questions.CALL);
    to.call(call);
  }

  @Override
  public void save(StateWriter to) {
    to.count(KIND);
    CommandCodec.write(to, command);
    for (Reply.Granted lease : leases) {
      to.flag(lease != null);
      if (lease != null) {
        ReplyCodec.granted(to, lease);
      }
    }
    to.count(open.size());
    open.forEach(
        (id, positions) -> {
          to.probe(id);
          to.list(positions, StateWriter::size);
        });
    buckets(to, spending);
    buckets(to, spent);
    to.number(ownTransaction);
    to.flag(refused != null);
    if (refused != null) {
      ReplyCodec.refused(to, refused);
    }
  }

  void load(StateReader from) {
    for (int i = 0; i < leases.length; i++) {
      leases[i] = from.flag() ? ReplyCodec.granted(from) : null;
    }
    for (int rest = from.size(); rest > 0; rest--) {
      open.put(from.probe(), from.list(StateReader::size));
    }
    loadBuckets(from, spending);
    loadBuckets(from, spent);
    ownTransaction = from.number();
    refused = from.flag() ? ReplyCodec.refused(from) : null;
  }

  private static void buckets(StateWriter to, Map<ProbeId, BucketKey> asked) {
    to.count(asked.size());
    asked.forEach(
        (id, bucket) -> {
          to.probe(id);
          to.bucket(bucket);
        });
  }

  private static void loadBuckets(StateReader from, Map<ProbeId, BucketKey> asked) {
    for (int rest = from.size(); rest > 0; rest--) {
      asked.put(from.probe(), from.bucket());
    }
  }
}
