package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import io.gleaner.matching.FieldHash;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One page of a listing: bucket after bucket in a fixed order, oldest entries first. The cursor
 * names the shape of the class, the shard and the last entry seen; a class that appears between two
 * pages may be missed.
 */
final class Listing implements Work, Questions.Asker {
  static final int KIND = 3;

  private static final Comparator<BucketKey> ORDER =
      Comparator.comparing((BucketKey key) -> key.type().name())
          .thenComparingLong(key -> shapeOf(key.type()))
          .thenComparing(BucketKey::shard);

  private final Context context;
  private final Questions questions;
  private final Directories directories;
  private final Call call;
  private final Command.Contents command;
  private List<BucketKey> buckets = List.of();
  private final List<EncodedEntry> found = new ArrayList<>();
  private int next;
  private long after;

  Listing(
      Context context,
      Questions questions,
      Directories directories,
      Call call,
      Command.Contents command) {
    this.context = context;
    this.questions = questions;
    this.call = call;
    this.command = command;
    this.directories = directories;
  }

  @Override
  public void begin() {
    buckets =
        directories.candidates(command.space(), command.templates()).stream()
            .sorted(ORDER)
            .toList();
    if (!command.cursor().isEmpty() && !goTo(command.cursor())) {
      call.refuse(
          Reply.Refusal.INVALID, "the cursor is not one that this space gave for this listing");
      return;
    }
    lookFurther();
  }

  private boolean goTo(String cursor) {
    String[] parts = cursor.split("\\|", -1);
    try {
      long shape = Long.parseUnsignedLong(parts[0], 16);
      int shard = Integer.parseInt(parts[1]);
      after = Long.parseLong(parts[2]);
      for (next = 0; next < buckets.size(); next++) {
        BucketKey key = buckets.get(next);
        if (shapeOf(key.type()) == shape && key.shard() == shard) {
          return true;
        }
      }
      return false;
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return false;
    }
  }

  /** Tells two classes of one name apart, which two clients with different versions may have. */
  private static long shapeOf(EntryType type) {
    String shape =
        type.name()
            + type.supertypes()
            + type.fieldNames()
            + type.shardField()
            + type.transientEntries();
    return FieldHash.of(shape.getBytes(StandardCharsets.UTF_8), 0);
  }

  private void lookFurther() {
    if (next >= buckets.size()) {
      call.answer(new Reply.Listed(found, ""));
      return;
    }
    BucketKey bucket = buckets.get(next);
    context.send(
        bucket.cell(context.cells),
        new Message.Page(
            questions.ask(this),
            bucket,
            command.templates(),
            command.transaction(),
            after,
            command.limit() - found.size()));
  }

  @Override
  public void listed(Message.Listing listing) {
    found.addAll(listing.entries());
    after = listing.last();
    if (!listing.more()) {
      next++;
      after = 0;
    }
    if (!Limits.isFull(found, command.limit()) || next >= buckets.size()) {
      lookFurther();
    } else {
      BucketKey bucket = buckets.get(next);
      call.answer(
          new Reply.Listed(
              found,
              Long.toHexString(shapeOf(bucket.type())) + "|" + bucket.shard() + "|" + after));
    }
  }

  @Override
  public void refused(ProbeId id, Reply.Refused refusal) {
    call.answer(refusal);
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
    to.list(buckets, StateWriter::bucket);
    to.entries(found);
    to.count(next);
    to.number(after);
  }

  void load(StateReader from) {
    buckets = from.list(StateReader::bucket);
    found.addAll(from.entries());
    next = from.size();
    after = from.number();
  }
}
