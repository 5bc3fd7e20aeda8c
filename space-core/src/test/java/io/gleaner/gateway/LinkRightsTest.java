package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.identity.Party;
import io.gleaner.identity.Principal;
import io.gleaner.leasing.Ticker;
import io.gleaner.limits.Rates;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import io.gleaner.tuple.ContractEntry;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.OfferEntry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import net.jini.core.entry.Entry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a device may do while the space does not say it. */
@Timeout(60)
class LinkRightsTest {
  private static final Reply DONE = new Reply.Done();

  /** Answers about contracts when it is told to. */
  private static final class SilentDesk implements MarketDesk {
    volatile boolean speaks;

    @Override
    public CompletableFuture<List<EncodedEntry>> contractsOf(String device) {
      ContractEntry contract = ContractEntry.ofLauncher(device);
      contract.jobId = "b-1";
      return speaks
          ? CompletableFuture.completedFuture(List.of(EntryCodec.encode(contract)))
          : new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<Integer> countOf(String kind, String device, int most) {
      return speaks ? CompletableFuture.completedFuture(0) : new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<List<EncodedEntry>> taken(long transaction, EncodedEntry template) {
      return new CompletableFuture<>();
    }
  }

  private final SilentDesk desk = new SilentDesk();
  private final MemberUse use = new MemberUse(Rates.standard().device(), () -> 0);
  private final LinkRights rights =
      new LinkRights(
          new Principal(Set.of(Party.DEVICE), "bob", "laptop"),
          desk,
          new LongAdder(),
          use,
          Ticker.system(),
          Duration.ofMillis(100),
          digests -> CompletableFuture.completedFuture(true));

  @Test
  @Tag("F9")
  void whatCannotBeLookedUpIsRefusedAndHoldsNothingUp() throws Exception {
    refuses(read(JobEntry.ofJob("b-1")));
    assertThat(answer(read(ContractEntry.ofLauncher("laptop")), false)).isEqualTo(DONE);

    desk.speaks = true;

    assertThat(answer(read(JobEntry.ofJob("b-1")), false)).isEqualTo(DONE);
  }

  @Test
  @Tag("F9")
  void whatCannotBeCountedIsRefused() throws Exception {
    OfferEntry offer = OfferEntry.ofLauncher("laptop");
    offer.owner = "bob";
    Command write =
        new Command.Write("market", List.of(EntryCodec.encode(offer)), List.of(1_000L), 0);
    refuses(write);

    desk.speaks = true;

    assertThat(answer(write, false)).isEqualTo(DONE);
  }

  @Test
  void whatMayHaveBeenDoneIsNotRefusedForAskingTooMuch() throws Exception {
    desk.speaks = true;
    while (use.look().isEmpty()) {
      assertThat(use.isQuiet()).isFalse();
    }
    assertThat(codeOf(answer(read(JobEntry.ofJob("b-1")), false))).isEqualTo(Reply.Refusal.LIMIT);
    assertThat(codeOf(answer(read(JobEntry.ofJob("b-1")), true)))
        .isEqualTo(Reply.Refusal.OUTCOME_UNKNOWN);
  }

  private void refuses(Command command) throws Exception {
    assertThat(codeOf(answer(command, false))).isEqualTo(Reply.Refusal.UNAVAILABLE);
    assertThat(codeOf(answer(command, true)))
        .as("it may have been done before")
        .isEqualTo(Reply.Refusal.OUTCOME_UNKNOWN);
  }

  private static Reply.Refusal codeOf(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Refused.class);
    return ((Reply.Refused) reply).code();
  }

  private Reply answer(Command command, boolean again) throws Exception {
    return rights
        .allow(command, again, allowed -> CompletableFuture.completedFuture(DONE))
        .get(30, TimeUnit.SECONDS);
  }

  private static Command read(Entry template) {
    return new Command.Match(
        "market", Command.Mode.READ, List.of(EntryCodec.encode(template)), 0, 0, 1);
  }
}
