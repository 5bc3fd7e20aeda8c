package io.gleaner.space.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the checker accepts and what it does not, on histories written by hand. */
@Timeout(60)
class HistoryTest {
  private final History history = new History();

  @Test
  void whatOneClientDoesAfterTheOtherIsExplained() {
    did(1, 2, write(1, 0));
    did(3, 4, read(0, 1));
    did(5, 6, take(0, 1));
    did(7, 8, take(0));
    assertThat(history.problem()).isEmpty();
  }

  @Test
  void anEntryTakenTwiceIsNot() {
    did(1, 2, write(1, 0));
    did(3, 4, take(0, 1));
    did(5, 6, take(0, 1));
    assertThat(history.problem().orElseThrow()).contains("[5 .. 6]");
  }

  @Test
  void aLostWriteIsNot() {
    did(1, 2, write(1, 0));
    did(3, 4, take(0));
    assertThat(history.problem()).isPresent();
  }

  @Test
  void aWriteUnderWayMayOrMayNotBeSeen() {
    did(1, 10, write(1, 0));
    did(2, 3, read(0));
    did(4, 5, read(0, 1));
    assertThat(history.problem()).isEmpty();
    did(6, 7, read(0));
    assertThat(history.problem()).as("once it was seen it is there").isPresent();
  }

  @Test
  void aLookThatWasTrueBeforeACompetingTakeIsExplained() {
    did(1, 2, write(1, 0));
    did(3, 9, take(0, 1));
    did(4, 8, read(0, 1));
    did(5, 6, read(0));
    assertThat(history.problem()).isEmpty();
  }

  @Test
  void aTakeWithoutAnAnswerExplainsOneMissingEntryAndNotTwo() {
    did(1, 2, write(1, 0));
    did(3, Operation.NEVER, new Act.LostTake("key", 0));
    did(4, 5, read(0, 1));
    did(6, 7, take(0));
    assertThat(history.problem()).isEmpty();
    did(8, 9, write(2, 0));
    did(10, 11, take(0));
    assertThat(history.problem()).isPresent();
  }

  @Test
  void aWriteWithoutAnAnswerMayAppearLater() {
    did(1, Operation.NEVER, write(1, 0));
    did(2, 3, take(0));
    did(4, 5, take(0, 1));
    assertThat(history.problem()).isEmpty();
  }

  @Test
  void halfACommitIsNotExplained() {
    did(1, 2, write(1, 7));
    did(3, 4, new Act.Write("other", 2, 7));
    did(5, 20, new Act.Commit(7));
    did(6, 7, read(0, 1));
    did(8, 9, new Act.Read("other", 0, Optional.of(2)));
    assertThat(history.problem()).isEmpty();
    did(10, 11, new Act.Read("other", 0, Optional.empty()));
    assertThat(history.problem()).isPresent();
  }

  @Test
  void whatIsNotCommittedIsSeenByItsTransactionOnly() {
    did(1, 2, write(1, 7));
    did(3, 4, read(7, 1));
    did(5, 6, read(0));
    did(7, 8, new Act.Release(7, "key", false));
    did(9, 10, take(0));
    assertThat(history.problem()).isEmpty();
    did(11, 12, read(0, 1));
    assertThat(history.problem()).isPresent();
  }

  @Test
  void aReadLockKeepsOthersFromTaking() {
    did(1, 2, write(1, 0));
    did(3, 4, read(7, 1));
    did(5, 6, take(0));
    did(7, 8, read(0, 1));
    assertThat(history.problem()).isEmpty();
    did(9, 10, take(0, 1));
    assertThat(history.problem()).isPresent();
  }

  @Test
  void whatATransactionTookComesBackWithItsEnd() {
    did(1, 2, write(1, 0));
    did(3, 4, take(7, 1));
    did(5, 8, new Act.Release(7, "key", false));
    did(6, 7, take(0, 1));
    assertThat(history.problem()).isEmpty();
  }

  @Test
  void aCommitWithoutAnAnswerMayHaveHappenedButNotBoth() {
    did(1, 2, write(1, 7));
    did(3, Operation.NEVER, new Act.LostCommit(7));
    did(4, 5, read(0));
    did(6, 7, read(0, 1));
    assertThat(history.problem()).isEmpty();
    did(8, 9, read(0));
    assertThat(history.problem()).isPresent();
  }

  @Test
  void whatIsKeptForAClientIsHiddenUntilItIsThereAgain() {
    did(1, 2, write(1, 0));
    did(3, 6, new Act.Hide("key", 1));
    did(4, 10, new Act.Show("key", 1));
    did(5, 7, take(0));
    did(8, 11, read(0, 1));
    assertThat(history.problem()).isEmpty();
    did(12, 13, take(0));
    assertThat(history.problem()).as("it is there").isPresent();
  }

  private void did(long called, long returned, Act act) {
    history.add("client", act, called, returned);
  }

  private static Act write(int entry, long transaction) {
    return new Act.Write("key", entry, transaction);
  }

  private static Act take(long transaction, Integer... found) {
    return new Act.Take("key", transaction, first(found));
  }

  private static Act read(long transaction, Integer... found) {
    return new Act.Read("key", transaction, first(found));
  }

  private static Optional<Integer> first(Integer... found) {
    return found.length == 0 ? Optional.empty() : Optional.of(found[0]);
  }
}
