package io.gleaner.space.core;

import io.gleaner.space.Command;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * In which order one look of an operation comes to its buckets. The first one is probed at once.
 * Then cells are asked which of their buckets have something, sixteen cells together and after that
 * sixteen times as many, and only buckets that have are probed: a look into nothing but empty
 * buckets takes as many questions as they have cells, in three rounds for 271 of them.
 */
final class Looking {
  private static final int WIDER = 16;

  private final Context context;
  private final Questions questions;
  private final Questions.Asker asker;
  private final Command.Match command;

  /** To be probed. */
  private final Deque<BucketKey> promising = new ArrayDeque<>();

  /** Not asked about yet, those of one cell together. */
  private final Deque<List<BucketKey>> ahead = new ArrayDeque<>();

  /** What cells have been asked about and have not answered. */
  private final Map<ProbeId, List<BucketKey>> asked = new LinkedHashMap<>();

  private int atOnce = WIDER;

  /** A look into nothing. */
  Looking(Context context, Questions questions, Questions.Asker asker, Command.Match command) {
    this.context = context;
    this.questions = questions;
    this.asker = asker;
    this.command = command;
  }

  /** Begins anew, with these buckets. */
  void begin(List<BucketKey> candidates, int first) {
    over();
    promising.clear();
    ahead.clear();
    atOnce = WIDER;
    Map<Integer, List<BucketKey>> others = new LinkedHashMap<>();
    for (int i = 0; i < candidates.size(); i++) {
      BucketKey bucket = candidates.get((first + i) % candidates.size());
      if (i == 0) {
        promising.add(bucket);
      } else {
        others.computeIfAbsent(bucket.cell(context.cells), c -> new ArrayList<>(1)).add(bucket);
      }
    }
    ahead.addAll(others.values());
  }

  /** The next bucket to probe, or null if none is known. */
  BucketKey next() {
    return promising.poll();
  }

  /** Whether answers are to come that may name buckets to probe; asks the next cells if need be. */
  boolean goesOn() {
    if (asked.isEmpty() && !ahead.isEmpty()) {
      for (int i = 0; i < atOnce && !ahead.isEmpty(); i++) {
        ask(ahead.remove());
      }
      atOnce *= WIDER;
    }
    return !asked.isEmpty();
  }

  private void ask(List<BucketKey> buckets) {
    ProbeId id = questions.ask(asker);
    asked.put(id, buckets);
    context.send(
        buckets.get(0).cell(context.cells),
        new Message.Scout(id, buckets, command.mode(), command.templates(), command.transaction()));
  }

  void scouted(Message.Scouted answer) {
    List<BucketKey> buckets = asked.remove(answer.id());
    answer.promising().forEach(position -> promising.add(buckets.get(position)));
  }

  /** Whatever is still answered is of no interest. */
  void over() {
    asked.keySet().forEach(questions::over);
    asked.clear();
  }

  void save(StateWriter to) {
    to.list(promising, StateWriter::bucket);
    to.list(ahead, (w, buckets) -> w.list(buckets, StateWriter::bucket));
    to.count(asked.size());
    asked.forEach(
        (id, buckets) -> {
          to.probe(id);
          to.list(buckets, StateWriter::bucket);
        });
    to.count(atOnce);
  }

  void load(StateReader from) {
    promising.addAll(from.list(StateReader::bucket));
    ahead.addAll(from.list(r -> r.list(StateReader::bucket)));
    for (int rest = from.size(); rest > 0; rest--) {
      asked.put(from.probe(), from.list(StateReader::bucket));
    }
    atOnce = from.size();
  }
}
