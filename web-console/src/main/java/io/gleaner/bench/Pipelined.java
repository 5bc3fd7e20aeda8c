package io.gleaner.bench;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Writes many entries, each in an operation of its own, before the first answer, and takes them.
 */
record Pipelined(int outstanding) implements Pattern {
  private static final long PATIENCE_SECONDS = 60;

  @Override
  public String name() {
    return "pairs, %d operations outstanding".formatted(outstanding);
  }

  @Override
  public String unit() {
    return "pairs";
  }

  @Override
  public Step client(Peer.Client client, int number) throws Exception {
    SpaceEngine engine = client.engine().orElseThrow();
    String key = "pipelined-" + number;
    List<EncodedEntry> entries = List.of(EntryCodec.encode(Note.of(key, number)));
    List<EncodedEntry> templates = List.of(EntryCodec.encode(Note.with(key)));
    Command write = new Command.Write(GatewayPeer.SPACE, entries, List.of(Long.MAX_VALUE), 0);
    Command take = new Command.Match(GatewayPeer.SPACE, Command.Mode.TAKE, templates, 0, 0, 1);
    Session session =
        new Session(engine, engine.open("", event -> {}).get(PATIENCE_SECONDS, TimeUnit.SECONDS));
    return () -> {
      session.ask(write, outstanding);
      for (Reply reply : session.ask(take, outstanding)) {
        if (!(reply instanceof Reply.Matched matched) || matched.entries().isEmpty()) {
          throw new IllegalStateException("what was written is not there: " + reply);
        }
      }
      return outstanding;
    };
  }

  private static final class Session {
    private final SpaceEngine engine;
    private final long number;
    private long sequence;

    Session(SpaceEngine engine, long number) {
      this.engine = engine;
      this.number = number;
    }

    List<Reply> ask(Command command, int times) throws ExecutionException, InterruptedException {
      long low = sequence + 1;
      List<CompletableFuture<Reply>> answers = new ArrayList<>(times);
      for (int i = 0; i < times; i++) {
        answers.add(engine.execute(number, ++sequence, low, command));
      }
      List<Reply> replies = new ArrayList<>(times);
      for (CompletableFuture<Reply> answer : answers) {
        replies.add(answer.get());
      }
      return replies;
    }
  }
}
