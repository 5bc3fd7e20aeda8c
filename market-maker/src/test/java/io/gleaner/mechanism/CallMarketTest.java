package io.gleaner.mechanism;

import static io.gleaner.book.Tellings.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gleaner.book.Action.Award;
import io.gleaner.book.Action.ClassPrice;
import io.gleaner.book.Action.Prolong;
import io.gleaner.book.Action.Publish;
import io.gleaner.book.Action.Refuse;
import io.gleaner.book.Action.Release;
import io.gleaner.book.Plan;
import io.gleaner.book.Requirements;
import io.gleaner.book.Rule;
import io.gleaner.book.Tellings;
import io.gleaner.book.Trigger;
import io.gleaner.book.WaitingBag;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CallMarketTest {
  private static final long CREDIT = 1_000_000;

  private static Plan call(Tellings told) {
    return decide(told, CallTerms.defaults().with(ThinMarket.CALL));
  }

  private static Plan decide(Tellings told, CallTerms terms) {
    return new CallMarket(terms).decide(new Trigger.Tick(), told.book(), NOON);
  }

  private static Rule refusal(Plan plan, String job) {
    return plan.actions(Refuse.class).stream()
        .filter(refuse -> refuse.jobId().equals(job))
        .findFirst()
        .orElseThrow()
        .reason()
        .rule();
  }

  @Test
  void theWorkedExampleOfTheDocument() {
    Plan plan =
        call(
            new Tellings()
                .offer("l1", 1, 2)
                .offer("l2", 1, 4)
                .offer("l3", 1, 9)
                .bag("high", 1, 10)
                .bag("middle", 1, 8)
                .bag("low", 1, 5));

    assertThat(plan.actions(Award.class))
        .extracting(Award::launcherId, Award::jobId, Award::microsPerUnit)
        .containsExactly(
            tuple("l1", "high", 65 * CREDIT / 10), tuple("l2", "middle", 65 * CREDIT / 10));
    assertThat(refusal(plan, "low")).isEqualTo(Rule.BELOW_RESERVE);
    Publish figures = plan.actions(Publish.class).get(0);
    assertThat(figures.microsPerUnit()).hasValue(65 * CREDIT / 10);
    assertThat(figures.slotsOffered()).isEqualTo(3);
    assertThat(figures.slotsWanted()).isEqualTo(3);
    assertThat(figures.slotsTraded()).isEqualTo(2);
  }

  @Test
  void equalBidsAreServedByAgeAndTheYoungerLearnsItsRank() {
    Plan plan = call(new Tellings().offer("l1", 2, 1).bag("older", 5, 3).bag("younger", 5, 3));

    assertThat(plan.actions(Award.class)).extracting(Award::jobId).containsExactly("older");
    Refuse refused = plan.actions(Refuse.class).get(0);
    assertThat(refused.jobId()).isEqualTo("younger");
    assertThat(refused.reason().rule()).isEqualTo(Rule.OUTBID);
    assertThat(refused.reason().rank()).isEqualTo(2);
    assertThat(refused.reason().depth()).isEqualTo(2);
  }

  @Test
  void aBagGetsNoMoreSlotsThanItHasTasks() {
    Plan plan = call(new Tellings().offer("l1", 8, 1).bag("small", 3, 5));

    assertThat(plan.actions(Award.class)).extracting(Award::slots).containsExactly(3);
  }

  @Test
  void aBagGetsNoMoreSlotsThanItsEscrowCovers() {
    Plan plan =
        call(
            new Tellings()
                .offer("l1", 8, 1)
                .bag("poor", "ann", 8, 5, 12 * CREDIT, 256, Set.of())
                .bag("broke", "ben", 8, 5, 0, 256, Set.of()));

    assertThat(plan.actions(Award.class))
        .extracting(Award::jobId, Award::slots)
        .containsExactly(tuple("poor", 2));
    assertThat(refusal(plan, "broke")).isEqualTo(Rule.MONEY_SHORT);
  }

  @Test
  void aPricePerTaskIsConvertedByTheEstimate() {
    WaitingBag bag =
        new WaitingBag(
            "perTask",
            "ann",
            new Requirements("JAVA", 1, Set.of(), ""),
            100 * CREDIT,
            6 * CREDIT,
            NOON,
            Instant.MAX,
            false,
            2 * CREDIT,
            1,
            1000 * CREDIT,
            1);

    assertThat(bag.bidMicrosPerUnit()).isEqualTo(3 * CREDIT);
  }

  @Test
  void aSlotThatFitsTwoClassesGoesToTheOneWithTheHigherMarginalBid() {
    Plan plan =
        call(
            new Tellings()
                .offer("big", "o1", 1, 1, 4096, Set.of())
                .offer("small", "o2", 1, 1, 512, Set.of())
                .bag("needsBig", "ann", 1, 3, 100 * CREDIT, 2048, Set.of())
                .bag("any", "ben", 2, 5, 100 * CREDIT, 256, Set.of()));

    assertThat(plan.actions(Award.class))
        .extracting(Award::launcherId, Award::jobId)
        .containsExactlyInAnyOrder(tuple("big", "any"), tuple("small", "any"));
    assertThat(refusal(plan, "needsBig")).isEqualTo(Rule.NO_FREE_SLOT);
  }

  @Test
  void whoMayNotRunThereWaitsAndLearnsWhy() {
    Plan plan =
        call(
            new Tellings()
                .offer("l1", "owner", 4, 1, 1024, Set.of("gpu"))
                .bag("elsewhere", "a", 1, 5, CREDIT * 100, 1, Set.of("site:lab"))
                .bag("labelled", "b", 1, 5, CREDIT * 100, 1, Set.of("label:gpu", "site:lab"))
                .bag("huge", "c", 1, 5, CREDIT * 100, 9999, Set.of()));

    assertThat(plan.actions(Award.class)).extracting(Award::jobId).containsExactly("labelled");
    assertThat(refusal(plan, "elsewhere")).isEqualTo(Rule.NOT_ALLOWED_THERE);
    assertThat(refusal(plan, "huge")).isEqualTo(Rule.TOO_LITTLE_MEMORY);
  }

  @Test
  void aThinMarketTradesAtThePostedPriceOnlyBetweenThoseWhoAcceptIt() {
    CallTerms posted = new CallTerms(ThinMarket.POSTED, 5, 4 * CREDIT);
    Plan plan =
        decide(
            new Tellings()
                .offer("cheap", 1, 2)
                .offer("dear", 1, 5)
                .bag("rich", 1, 10)
                .bag("second", 1, 7)
                .bag("meek", 1, 3),
            posted);

    assertThat(plan.actions(Award.class))
        .extracting(Award::launcherId, Award::jobId, Award::microsPerUnit)
        .containsExactly(tuple("cheap", "rich", 4 * CREDIT));
    assertThat(refusal(plan, "second")).isEqualTo(Rule.POSTED_BELOW_RESERVE);
    assertThat(refusal(plan, "meek")).isEqualTo(Rule.BELOW_POSTED);
    assertThat(plan.actions(Publish.class).get(0).prices())
        .extracting(ClassPrice::posted)
        .containsExactly(true);
  }

  @Test
  void thePostedPriceFollowsTheLastCall() {
    Plan plan =
        decide(
            new Tellings().offer("l1", 1, 2).bag("b1", 1, 10).lastPrice(6), CallTerms.defaults());

    assertThat(plan.actions(Award.class))
        .extracting(Award::microsPerUnit)
        .containsExactly(6 * CREDIT);
  }

  @Test
  void fiveOwnersOnEachSideAreNoThinMarket() {
    Tellings told = new Tellings();
    for (int i = 0; i < 5; i++) {
      told.offer("l" + i, 1, 2).bag("b" + i, 1, 10);
    }

    assertThat(decide(told, CallTerms.defaults()).actions(Award.class))
        .hasSize(5)
        .allSatisfy(award -> assertThat(award.microsPerUnit()).isEqualTo(6 * CREDIT));
  }

  @Test
  void aContractKeepsSlotAndPriceWithinItsQuantumWhateverOthersBid() {
    Plan plan =
        call(
            new Tellings()
                .offer("l1", 1, 1)
                .bag("holder", 5, 2)
                .bag("richer", 5, 9)
                .contract("c1", "l1", "holder", 1, 2, 30));

    assertThat(plan.actions(Award.class)).isEmpty();
    assertThat(plan.actions(Release.class)).isEmpty();
    assertThat(refusal(plan, "richer")).isEqualTo(Rule.NO_FREE_SLOT);
  }

  @Test
  void afterItsQuantumTheSlotGoesToTheHigherBid() {
    Plan plan =
        call(
            new Tellings()
                .offer("l1", 1, 1)
                .bag("holder", 5, 2)
                .bag("richer", 5, 9)
                .contract("c1", "l1", "holder", 1, 2, 60));

    assertThat(plan.actions(Release.class)).extracting(Release::contractId).containsExactly("c1");
    assertThat(plan.actions(Award.class)).extracting(Award::jobId).containsExactly("richer");
    assertThat(plan.actions().indexOf(plan.actions(Release.class).get(0)))
        .isLessThan(plan.actions().indexOf(plan.actions(Award.class).get(0)));
  }

  @Test
  void afterItsQuantumTheSameBagKeepsTheSlotItHoldsWhenItStillWins() {
    Plan plan =
        call(
            new Tellings()
                .offer("a-idle", 1, 1)
                .offer("b-held", 1, 1)
                .bag("holder", 1, 3)
                .contract("c1", "b-held", "holder", 1, 1, 90));

    assertThat(plan.actions(Prolong.class)).extracting(Prolong::contractId).containsExactly("c1");
    assertThat(plan.actions(Release.class)).isEmpty();
    assertThat(plan.actions(Award.class)).isEmpty();
  }

  @Test
  void withFewerTasksThanContractsTheMostRecentGoFirst() {
    Plan plan =
        call(
            new Tellings()
                .offer("l1", 1, 1)
                .offer("l2", 1, 1)
                .offer("l3", 1, 1)
                .bag("ending", 1, 3)
                .contract("oldest", "l1", "ending", 1, 1, 50)
                .contract("newest", "l2", "ending", 1, 1, 10)
                .contract("middle", "l3", "ending", 1, 1, 20));

    assertThat(plan.actions(Release.class))
        .extracting(Release::contractId)
        .containsExactlyInAnyOrder("newest", "middle");
    assertThat(plan.actions(Award.class)).isEmpty();
  }

  @Test
  void contractsEndWithTheirBagAndWithTheirOffer() {
    Plan plan =
        call(
            new Tellings()
                .offer("l1", 1, 1)
                .bag("b1", 4, 3)
                .contract("bagless", "l1", "ended", 1, 1, 5)
                .contract("offerless", "vanished", "b1", 1, 1, 5));

    assertThat(plan.actions(Release.class))
        .extracting(Release::contractId, release -> release.reason().rule())
        .containsExactlyInAnyOrder(
            tuple("bagless", Rule.BAG_ENDED), tuple("offerless", Rule.OFFER_GONE));
  }

  @Test
  void nothingIsStartedAfterTheDeadline() {
    WaitingBag late =
        new WaitingBag(
            "late",
            "ann",
            new Requirements("JAVA", 1, Set.of(), ""),
            9 * CREDIT,
            Long.MAX_VALUE,
            NOON.minusSeconds(90),
            NOON.minusSeconds(1),
            false,
            CREDIT,
            3,
            100 * CREDIT,
            1);
    Plan plan = call(new Tellings().offer("l1", 1, 1).bag(late));

    assertThat(plan.actions(Award.class)).isEmpty();
    assertThat(refusal(plan, "late")).isEqualTo(Rule.DEADLINE_PASSED);
  }

  @Test
  void anEmptyBookGivesFiguresOnly() {
    assertThat(call(new Tellings()).actions())
        .hasSize(1)
        .isEqualTo(List.of(call(new Tellings()).actions(Publish.class).get(0)));
  }
}
