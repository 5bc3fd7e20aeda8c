package io.gleaner.space.hosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.secrets.Secret;
import io.gleaner.space.MemberSettings;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.core.Cell;
import io.gleaner.space.core.Input;
import io.gleaner.space.core.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a cell is told by the member that goes on with it, in a space that nobody uses. */
@Timeout(120)
class ChangeOfOwnerTest {
  private static final int CELLS = 23;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final MemberSettings founding = MemberSettings.founding("test", Secret.random());
  private SpaceMember first;
  private SpaceMember second;
  private Optional<SpaceMember> third = Optional.empty();

  @BeforeEach
  void twoMembers() {
    first = start(founding);
    second = start(founding.joining(List.of(first.address())));
    await().atMost(PATIENCE).until(() -> first.isSettled() && second.isSettled());
    // Whoever became the owner of a cell has told it so.
    await()
        .atMost(PATIENCE)
        .until(() -> cells(second).allMatch(cell -> inputs(first, cell) == inputs(second, cell)));
  }

  private static SpaceMember start(MemberSettings member) {
    return SpaceMember.start(new SpaceSettings(member, CELLS, 2, Limits.DEFAULT), Keeping.NOTHING);
  }

  private static IntStream cells(SpaceMember member) {
    return IntStream.range(0, CELLS).filter(cell -> member.cells().roster().isOwn(cell));
  }

  private static List<Word.Chunk> image(SpaceMember member, int cell) {
    CellHost host = member.cells().host(cell);
    List<Word.Chunk> chunks = new ArrayList<>();
    host.turn().now(() -> chunks.addAll(host.image()));
    return chunks;
  }

  private static long inputs(SpaceMember member, int cell) {
    List<Word.Chunk> image = image(member, cell);
    return image.isEmpty() ? -1 : load(image).inputs();
  }

  private static Cell load(List<Word.Chunk> image) {
    return Cell.load(image.stream().map(Word.Chunk::bytes).iterator());
  }

  @AfterEach
  void endMembers() {
    first.kill();
    second.kill();
    third.ifPresent(SpaceMember::kill);
  }

  @Test
  void aReplicaThatCameBySynchronisationTakesOverWhenItsOwnerIsLost() {
    int cell = cells(first).findFirst().orElseThrow();
    CellHost replica = second.cells().host(cell);
    // So Hazelcast brings a copy to a replica that it finds behind, outside of any move.
    for (Word.Chunk chunk : image(first, cell)) {
      replica.turn().now(() -> replica.moveHere(chunk));
    }
    long before = inputs(second, cell);
    first.kill();
    // The take-over, and a wake-up.
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(inputs(second, cell)).isEqualTo(before + 2));
  }

  @Test
  void aCellWhoseOwnerLeavesInOrderIsNotTakenOver() {
    int cell = cells(first).findFirst().orElseThrow();
    long before = inputs(second, cell);
    first.close();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(inputs(second, cell)).isEqualTo(before + 1));
  }

  @Test
  void whatACellIsToldFirstIsInItsImageEvenIfItMovesBefore() {
    int cell = cells(first).findFirst().orElseThrow();
    CellHost host = first.cells().host(cell);
    long before = inputs(first, cell);
    List<Word.Chunk> chunks = new ArrayList<>();
    host.turn()
        .now(
            () -> {
              Cell kept = load(host.image());
              host.restart(kept, new Input.Restart(Limits.DEFAULT, 0));
              chunks.addAll(host.image());
            });
    assertThat(load(chunks).inputs()).isGreaterThan(before);
  }

  @Test
  void aCellThatIsBeingClaimedDoesNotMoveBeforeThatIsOver() {
    Map<Integer, Claims.Unclaimed> claims = new HashMap<>();
    for (int cell : cells(first).toArray()) {
      CellHost host = first.cells().host(cell);
      host.turn()
          .now(
              () -> {
                host.cedeOwnership(true);
                claims.put(cell, host.beginClaim().orElseThrow());
              });
    }
    third = Optional.of(start(founding.joining(List.of(first.address()))));
    await()
        .during(Duration.ofSeconds(2))
        .atMost(PATIENCE)
        .until(() -> claims.keySet().stream().allMatch(first.cells().roster()::isOwn));
    claims.forEach(
        (cell, claim) -> {
          CellHost host = first.cells().host(cell);
          host.turn().now(() -> host.claimFailed(claim));
        });
    await()
        .atMost(PATIENCE)
        .until(() -> claims.keySet().stream().anyMatch(third.get().cells().roster()::isOwn));
  }
}
