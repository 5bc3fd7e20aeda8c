package io.gleaner.gateway;

import static io.gleaner.gateway.Tuples.answer;
import static io.gleaner.gateway.Tuples.found;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.gateway.wire.Wire;
import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.MemberSettings;
import io.gleaner.space.Note;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TupleSpace;
import io.gleaner.space.core.Limits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a take waited for stays reserved until its client has it, and no longer than that. */
@Timeout(180)
class ReceiptsTest {
  private static final long LONG_MILLIS = 3_600_000;

  @TempDir static Path folder;
  private static HazelcastSpace patientSpace;
  private static HazelcastSpace hastySpace;
  private static TestGateway patient;
  private static TestGateway hasty;

  @BeforeAll
  static void nodesThatWaitLongAndShort() throws Exception {
    patientSpace = space(Limits.DEFAULT.withReceiptMillis(LONG_MILLIS));
    patient = TestGateway.startUsual(patientSpace, folder.resolve("patient"));
    hastySpace = space(Limits.DEFAULT.withReceiptMillis(50));
    hasty = TestGateway.startUsual(hastySpace, folder.resolve("hasty"));
  }

  @AfterAll
  static void end() throws Exception {
    patient.close();
    hasty.close();
    patientSpace.close();
    hastySpace.close();
  }

  @Test
  @Tag("F5")
  void whatAClientThatStandsStillWaitedForGoesToTheNextAndItGoesOnWaiting() throws Exception {
    try (HazelcastSpace space = space(Limits.DEFAULT);
        CountingEngine engine = new CountingEngine(space);
        TestGateway gateway = TestGateway.startUsual(engine, folder.resolve("usual"));
        TupleSpace embedded = SpaceClient.open(space, "ada/notes", "test");
        SleepyClient sleepy = SleepyClient.start(gateway);
        GatewayConnection awake = gateway.patientClient()) {
      await().until(() -> engine.asked() == 1);
      sleepy.sleeps();
      TupleSpace its = awake.space("notes");
      CompletableFuture<Note> next = CompletableFuture.supplyAsync(() -> takesOne(its));
      await().until(() -> engine.asked() == 2);

      embedded.write(new Note("red", 1), null, LONG_MILLIS);

      assertThat(next.get().number).isEqualTo(1);
      assertThat(engine.answers()).hasAtLeastOneElementOfType(Reply.Reserved.class);
      sleepy.wakes();
      await().until(() -> engine.answers().stream().anyMatch(ReceiptsTest::isGivenBack));
      embedded.write(new Note("red", 2), null, LONG_MILLIS);
      assertThat(sleepy.says()).isEqualTo("took 2");
    }
  }

  private static Note takesOne(TupleSpace space) {
    try {
      return (Note) space.take(new Note(), null, LONG_MILLIS);
    } catch (Exception e) {
      throw new IllegalStateException("the take failed", e);
    }
  }

  private static boolean isGivenBack(Reply reply) {
    return reply instanceof Reply.Refused refused && refused.code() == Reply.Refusal.GIVEN_BACK;
  }

  @Test
  void whatIsReservedIsNobodyElsesUntilItIsAccepted() throws Exception {
    try (RawClient raw = waitingFor("red", patient)) {
      Tuples others = Tuples.in(patientSpace);
      answer(others.write("red"));
      Wire.Executed reserved = raw.reads().getExecuted();
      assertThat(reserved.getMatched().getReserved()).isTrue();
      assertThat(ReplyFrames.read(List.of(reserved)))
          .isEqualTo(new Reply.Reserved(List.of(Tuples.tuple("red"))));
      assertThat(answer(others.take("red", 0))).isEqualTo(found());

      for (int twice = 0; twice < 2; twice++) {
        raw.accepts(1, 1, "ada/s", "red");
        assertThat(raw.reads().getExecuted().hasDone()).isTrue();
      }

      assertThat(answer(others.take("red", 0))).isEqualTo(found());
    }
  }

  @Test
  void whatIsNotAcceptedInTimeIsTheNextOnes() throws Exception {
    try (RawClient raw = waitingFor("red", hasty)) {
      Tuples others = Tuples.in(hastySpace);
      CompletableFuture<Reply> next = others.take("red", LONG_MILLIS);
      answer(others.write("red"));
      assertThat(raw.reads().getExecuted().getMatched().getReserved()).isTrue();
      assertThat(answer(next)).isEqualTo(found("red"));

      raw.accepts(1, 1, "ada/s", "red");

      assertThat(raw.reads().getExecuted().getRefused().getCode())
          .isEqualTo(Wire.Refused.Code.GIVEN_BACK);
    }
  }

  @Test
  void whatIsThereAtOnceNeedsNoReceipt() throws Exception {
    answer(Tuples.in(hastySpace).write("green"));
    try (RawClient raw = askingFor("green", hasty)) {
      assertThat(raw.reads().getExecuted().getMatched())
          .matches(matched -> !matched.getReserved() && matched.getEntriesCount() == 1);
    }
  }

  @Test
  void whatWasReservedForASessionThatEndsIsFree() throws Exception {
    try (RawClient raw = waitingFor("blue", patient)) {
      Tuples others = Tuples.in(patientSpace);
      answer(others.write("blue"));
      assertThat(raw.reads().getExecuted().getMatched().getReserved()).isTrue();
      CompletableFuture<Reply> next = others.take("blue", LONG_MILLIS);

      raw.sends(
          Frames.client().setCloseSession(Wire.CloseSession.newBuilder().setSession(1)).build());

      assertThat(answer(next)).isEqualTo(found("blue"));
    }
  }

  private static HazelcastSpace space(Limits limits) {
    return HazelcastSpace.start(new SpaceSettings(MemberSettings.alone(), 31, 2, limits));
  }

  private static RawClient askingFor(String text, TestGateway gateway) throws IOException {
    RawClient raw = RawClient.welcomed(gateway);
    raw.opens(1);
    assertThat(raw.reads().hasSessionOpened()).isTrue();
    raw.takes(1, 1, "ada/s", text);
    return raw;
  }

  /** Its take has reached the space when this returns. */
  private static RawClient waitingFor(String text, TestGateway gateway) throws IOException {
    RawClient raw = askingFor(text, gateway);
    // Frames are handled in their order, and a cell hears its messages in theirs.
    raw.sends(Frames.client().setPing(Wire.Ping.newBuilder().setNumber(1)).build());
    Wire.ServerFrame pong = raw.reads();
    if (!pong.hasPong()) {
      throw new AssertionError("expected a pong, got " + pong);
    }
    return raw;
  }
}
