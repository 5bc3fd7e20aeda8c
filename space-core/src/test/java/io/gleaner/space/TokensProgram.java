package io.gleaner.space;

import io.gleaner.leasing.Ticker;
import io.gleaner.storage.StorageSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;
import net.jini.space.MatchSet;

/**
 * Moves tokens between two classes of entries, each move in a transaction over several cells, until
 * it is killed; {@link TokensTest} kills it again and again and no token may be lost or doubled.
 */
final class TokensProgram {
  static final int TOKENS = 40;
  private static final int WORKERS = 6;
  private static final Duration LEASE = Duration.ofSeconds(3);

  /** A token that waits to be worked on. */
  public static class Waiting implements Entry {
    private static final long serialVersionUID = 1L;
    public Integer number;

    public Waiting() {}

    Waiting(Integer number) {
      this.number = number;
    }
  }

  /** A token that was worked on. */
  public static class Done implements Entry {
    private static final long serialVersionUID = 1L;
    public Integer number;

    public Done() {}

    Done(Integer number) {
      this.number = number;
    }
  }

  private final TupleSpace space;

  private TokensProgram(TupleSpace space) {
    this.space = space;
  }

  public static void main(String[] arguments) throws Exception {
    HazelcastSpace engine = start(Path.of(arguments[0]));
    run(engine, arguments[1].equals("first"));
  }

  /** Looks for the tokens, and moves them until the process is killed. */
  static void run(HazelcastSpace engine, boolean first) throws Exception {
    TokensProgram program = new TokensProgram(SpaceClient.open(engine, "test", "program"));
    if (first) {
      program.space.write(
          IntStream.range(0, TOKENS).mapToObj(Waiting::new).toList(),
          null,
          Collections.nCopies(TOKENS, Lease.FOREVER));
    }
    List<Integer> found = program.settled();
    System.out.println("found " + found);
    program.move();
  }

  /** Moves tokens that somebody else has looked for. */
  static void help(HazelcastSpace engine) throws Exception {
    new TokensProgram(SpaceClient.open(engine, "test", "program")).move();
  }

  private void move() {
    for (int i = 0; i < WORKERS; i++) {
      new Thread(this::work, "worker-" + i).start();
    }
    new Thread(this::giveBack, "back").start();
  }

  static HazelcastSpace start(Path folder) {
    return HazelcastSpace.startDurable(KilledProgram.SETTINGS, StorageSettings.in(folder));
  }

  /** The tokens, once the transactions of an earlier program have ended. */
  private List<Integer> settled() throws Exception {
    long end = Ticker.system().nanos() + Duration.ofSeconds(60).toNanos();
    List<Integer> found = tokens();
    while (found.size() != TOKENS && Ticker.system().nanos() < end) {
      space.take(new Waiting(-1), null, 200);
      found = tokens();
    }
    return found;
  }

  private List<Integer> tokens() throws Exception {
    List<Integer> found = new ArrayList<>();
    MatchSet all = space.contents(List.of(new Waiting(), new Done()), null, 10_000, Long.MAX_VALUE);
    for (Entry token = all.next(); token != null; token = all.next()) {
      found.add(token instanceof Waiting waiting ? waiting.number : ((Done) token).number);
    }
    found.sort(null);
    return found;
  }

  private void work() {
    while (true) {
      move(
          transaction -> {
            Waiting token = (Waiting) space.take(new Waiting(), transaction, 1_000);
            return token == null ? List.of() : List.of(new Done(token.number));
          });
    }
  }

  private void giveBack() {
    while (true) {
      move(
          transaction -> {
            List<Entry> back = new ArrayList<>();
            for (Object token : space.take(List.of(new Done()), transaction, 1_000, 10)) {
              back.add(new Waiting(((Done) token).number));
            }
            return back;
          });
    }
  }

  private interface Move {
    List<Entry> of(Transaction transaction) throws Exception;
  }

  private void move(Move move) {
    try {
      Transaction transaction = space.begin(LEASE).transaction;
      List<Entry> moved = move.of(transaction);
      if (!moved.isEmpty()) {
        space.write(moved, transaction, Collections.nCopies(moved.size(), Lease.FOREVER));
      }
      transaction.commit();
    } catch (TransactionException e) {
      // Its lease ended on a machine that is slow; the token is back.
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
