package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.matching.EntryCodec;
import io.gleaner.space.core.Ids;
import io.gleaner.storage.StorageException;
import io.gleaner.storage.StorageSettings;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.jini.core.entry.Entry;
import net.jini.core.transaction.server.TransactionConstants;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Timeout(180)
class DurableSpaceTest {
  private static final Logger LOG = LoggerFactory.getLogger(DurableSpaceTest.class);

  @TempDir Path folder;

  @Test
  void whatWasAcknowledgedIsThereAfterARestart() throws Exception {
    try (var engine = start();
        var space = SpaceClient.open(engine, "test", "first")) {
      space.write(new Note("kept", 1), null, Long.MAX_VALUE);
      space.write(new SpreadNote("s", 7), null, Long.MAX_VALUE);
      space.write(new Rumour("gone"), null, Long.MAX_VALUE);
      space.write(new Note("taken", 2), null, Long.MAX_VALUE);
      assertThat(space.take(new Note("taken", null), null, 0)).isNotNull();
    }
    try (var engine = start();
        var space = SpaceClient.open(engine, "test", "second")) {
      assertThat(space.readIfExists(new Note("taken", null), null, 0)).isNull();
      assertThat(space.readIfExists(new Rumour(), null, 0)).isNull();
      assertThat(space.take(new Note(), null, 0)).isNotNull();
      assertThat(space.take((Entry) null, null, 0)).isInstanceOf(SpreadNote.class);
      assertThat(space.takeIfExists((Entry) null, null, 0)).isNull();
    }
  }

  @Test
  void aTransactionGoesOnInItsSessionAfterARestart() {
    long session;
    Reply.Began began;
    Reply written;
    try (var engine = start()) {
      session = engine.open("holder", event -> {}).join();
      written = run(engine, session, 1, write(new Note("task", 1), 0));
      began = (Reply.Began) run(engine, session, 2, new Command.Begin(60_000));
      assertThat(run(engine, session, 3, take(new Note("task", null), began.transaction())))
          .isEqualTo(new Reply.Matched(List.of(EntryCodec.encode(new Note("task", 1)))));
      run(engine, session, 4, write(new Note("result", 1), began.transaction()));
    }
    try (var engine = start()) {
      assertThat(run(engine, session, 1, write(new Note("task", 1), 0))).isEqualTo(written);
      long other = engine.open("other", event -> {}).join();
      Reply nothing = new Reply.Matched(List.of());
      assertThat(run(engine, other, 1, take(new Note(), 0))).isEqualTo(nothing);
      assertThat(run(engine, session, 5, new Command.Commit(began.transaction())))
          .isEqualTo(new Reply.Done());
      assertThat(run(engine, other, 2, take(new Note(), 0)))
          .isEqualTo(new Reply.Matched(List.of(EntryCodec.encode(new Note("result", 1)))));
      assertThat(run(engine, other, 3, take(new Note(), 0))).isEqualTo(nothing);
    }
  }

  @Test
  void aPreparedTransactionIsCommittedOnceByWhoeverDecidesAfterARestart() {
    long transaction = preparesAndRestarts();
    try (var engine = start()) {
      long session = engine.open("recovers", event -> {}).join();
      Command.ListForeign open = new Command.ListForeign(Ids.cellOf(transaction));
      assertThat(run(engine, session, 1, open))
          .isEqualTo(
              new Reply.ForeignOnes(
                  List.of(new Reply.Foreign("manager", "proxy", 7, transaction))));
      var early = engine.execute(session, 2, 1, takeIfExists(new Note()));
      assertThat(early).isNotDone();
      assertThat(run(engine, session, 3, new Command.Commit(transaction)))
          .isEqualTo(new Reply.Done());
      assertThat(early.join())
          .isEqualTo(new Reply.Matched(List.of(EntryCodec.encode(new Note("result", 1)))));
      assertThat(run(engine, session, 4, take(new Note(), 0)))
          .isEqualTo(new Reply.Matched(List.of()));
    }
    try (var engine = start()) {
      long session = engine.open("looks", event -> {}).join();
      assertThat(run(engine, session, 1, take(new Note(), 0)))
          .isEqualTo(new Reply.Matched(List.of()));
    }
  }

  @Test
  void aPreparedTransactionIsAbortedByWhoeverDecidesAfterARestart() {
    long transaction = preparesAndRestarts();
    try (var engine = start()) {
      long session = engine.open("recovers", event -> {}).join();
      var early = engine.execute(session, 1, 1, takeIfExists(new Note()));
      assertThat(early).isNotDone();
      assertThat(run(engine, session, 2, new Command.Abort(transaction)))
          .isEqualTo(new Reply.Done());
      assertThat(early.join())
          .isEqualTo(new Reply.Matched(List.of(EntryCodec.encode(new Note("task", 1)))));
      assertThat(run(engine, session, 3, take(new Note(), 0)))
          .isEqualTo(new Reply.Matched(List.of()));
    }
  }

  /** A transaction of a foreign manager that took a task and wrote a result; its number. */
  private long preparesAndRestarts() {
    long transaction;
    try (var engine = start()) {
      long session = engine.open("takes part", event -> {}).join();
      run(engine, session, 1, write(new Note("task", 1), 0));
      Command.BeginForeign begins = new Command.BeginForeign("manager", "proxy", 7, 60_000);
      transaction = ((Reply.Began) run(engine, session, 2, begins)).transaction();
      run(engine, session, 3, take(new Note("task", null), transaction));
      run(engine, session, 4, write(new Note("result", 1), transaction));
      assertThat(run(engine, session, 5, new Command.Prepare(transaction)))
          .isEqualTo(new Reply.StateOf(TransactionConstants.PREPARED));
    }
    start().close();
    return transaction;
  }

  @Test
  @Tag("F7")
  void everyStepHasItsEffectOnceThoughTheProcessIsKilledInTheMiddle() throws Exception {
    long seed = Long.getLong("gleaner.seed", System.nanoTime());
    LOG.info("seed {}", seed);
    Random random = new Random(seed);
    KilledClients clients = new KilledClients();
    runUntilKilled(500 + random.nextInt(3_000), clients);
    LOG.info("acknowledged {}", clients.acknowledged());
    try (var engine = KilledProgram.start(folder)) {
      clients.areRightIn(engine);
    }
  }

  @Test
  void aSpaceInAFolderHasOneMember() {
    SpaceSettings joining =
        SpaceSettings.of(MemberSettings.alone().joining(List.of("127.0.0.1:5701")));
    assertThatThrownBy(() -> HazelcastSpace.startDurable(joining, StorageSettings.in(folder)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("one member");
  }

  @Test
  void aFolderOfASpaceWithOtherCellsIsRefused() {
    start().close();
    assertThatThrownBy(
            () -> HazelcastSpace.startDurable(SpaceSettings.defaults(), StorageSettings.in(folder)))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("with 11 cells; expected format 5 with 271 cells");
  }

  private HazelcastSpace start() {
    return HazelcastSpace.startDurable(KilledProgram.SETTINGS, StorageSettings.in(folder));
  }

  private static Reply run(SpaceEngine engine, long session, long sequence, Command command) {
    return engine.execute(session, sequence, 1, command).join();
  }

  private static Command write(Entry entry, long transaction) {
    return new Command.Write(
        "test", List.of(EntryCodec.encode(entry)), List.of(Long.MAX_VALUE), transaction);
  }

  private static Command take(Entry template, long transaction) {
    return new Command.Match(
        "test", Command.Mode.TAKE, List.of(EntryCodec.encode(template)), transaction, 0, 1);
  }

  private static Command takeIfExists(Entry template) {
    return new Command.Match(
        "test",
        Command.Mode.TAKE_IF_EXISTS,
        List.of(EntryCodec.encode(template)),
        0,
        Long.MAX_VALUE,
        1);
  }

  private void runUntilKilled(int lines, KilledClients clients) throws Exception {
    Process process = TestJvm.program(KilledProgram.class, folder).start();
    int heard = 0;
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (!clients.hear(line)) {
          LOG.info("{}", line);
        } else if (++heard == lines) {
          process.toHandle().destroyForcibly();
        }
      }
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(heard).isGreaterThanOrEqualTo(lines);
  }
}
