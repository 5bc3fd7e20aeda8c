package io.gleaner.gateway;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEngine;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Entries of one text field, and the operations of one session on them. */
final class Tuples {
  private static final EntryType TYPE = new EntryType("Text", List.of(), List.of("text"), -1);

  private final SpaceEngine engine;
  private final String space;
  private final long session;
  private final AtomicLong sequence = new AtomicLong();

  private Tuples(SpaceEngine engine, String space, long session) {
    this.engine = engine;
    this.space = space;
    this.session = session;
  }

  static Tuples in(SpaceEngine engine) throws Exception {
    return in(engine, "ada/s");
  }

  static Tuples in(SpaceEngine engine, String space) throws Exception {
    return new Tuples(engine, space, engine.open("tests", event -> {}).get(60, TimeUnit.SECONDS));
  }

  static EncodedEntry tuple(String text) {
    return new EncodedEntry(TYPE, new byte[][] {text.getBytes(StandardCharsets.UTF_8)});
  }

  long session() {
    return session;
  }

  CompletableFuture<Reply> write(String... texts) {
    List<EncodedEntry> entries = java.util.Arrays.stream(texts).map(Tuples::tuple).toList();
    return execute(
        new Command.Write(space, entries, entries.stream().map(e -> 60_000L).toList(), 0));
  }

  CompletableFuture<Reply> take(String text, long timeoutMillis) {
    return execute(
        new Command.Match(space, Command.Mode.TAKE, List.of(tuple(text)), 0, timeoutMillis, 1));
  }

  CompletableFuture<Reply> takeAny(int limit) {
    return execute(
        new Command.Match(
            space,
            Command.Mode.TAKE,
            List.of(new EncodedEntry(TYPE, new byte[][] {null})),
            0,
            0,
            limit));
  }

  CompletableFuture<Reply> execute(Command command) {
    // The tests keep every answer, which is the most that an engine has to bear.
    return engine.execute(session, sequence.incrementAndGet(), 1, command);
  }

  static Reply answer(CompletableFuture<Reply> reply)
      throws ExecutionException, TimeoutException, InterruptedException {
    return reply.get(60, TimeUnit.SECONDS);
  }

  static Reply found(String... texts) {
    return new Reply.Matched(java.util.Arrays.stream(texts).map(Tuples::tuple).toList());
  }
}
