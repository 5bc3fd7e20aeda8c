package io.gleaner.bag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.description.BagParser;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a bag bids follows from its description, exactly. */
@Timeout(10)
class PriceTest {

  @Test
  void aLimitPerUnitIsThePrice() {
    Price price =
        price("budget: 100\nprice_limit: {per_unit: 0.5}\nestimate: {units_per_task: 2}", 10);
    assertThat(price.microsPerUnit()).isEqualTo(500_000);
    assertThat(price.microsPerTask()).isEmpty();
    // Ten tasks of at most 8 units at half a credit.
    assertThat(price.mostMicrosPerTask()).isEqualTo(Long.MAX_VALUE);
    assertThat(price.mostMicros()).isEqualTo(40_000_000);
  }

  @Test
  void aLimitPerTaskCountsAsAPricePerUnitOfTheEstimate() {
    Price price =
        price("budget: 100\nprice_limit: {per_task: 1}\nestimate: {units_per_task: 4}", 10);
    assertThat(price.microsPerUnit()).isEqualTo(250_000);
    assertThat(price.microsPerTask()).isEqualTo(OptionalLong.of(1_000_000));
    assertThat(price.mostMicrosPerTask()).isEqualTo(1_000_000);
    assertThat(price.mostMicros()).isEqualTo(10_000_000);
  }

  @Test
  void withoutALimitTheBudgetIsSpreadOverTheExpectedWork() {
    Price price = price("budget: 30\nreplication: 3\nestimate: {units_per_task: 2}", 10);
    assertThat(price.microsPerUnit()).isEqualTo(500_000);
    assertThat(price("", 10).microsPerUnit()).isZero();
  }

  @Test
  void withoutALimitNoTaskCostsMoreThanItsShareSoTheBudgetLastsToTheLast() {
    Price price = price("budget: 30\nreplication: 3\nestimate: {units_per_task: 2}", 10);
    assertThat(price.microsPerTask()).isEmpty();
    assertThat(price.mostMicrosPerTask()).isEqualTo(3_000_000);
    assertThat(price.mostMicros()).isEqualTo(30_000_000);
  }

  @Test
  void whatCannotBeCountedOrPaidIsRefused() {
    assertThatThrownBy(() -> price("budget: 1\nprice_limit: {per_unit: 2}", 1))
        .isInstanceOf(BagException.class)
        .hasMessageContaining("one task may cost 2 credits at the price limit, the budget is 1");
    assertThatThrownBy(
            () ->
                price(
                    "budget: 1000000000000\nprice_limit: {per_unit: 1000000000000}\n"
                        + "limits: {units_per_task: 1000000}",
                    1_000_000))
        .isInstanceOf(BagException.class)
        .hasMessageContaining("too large to be counted");
  }

  private static Price price(String yaml, int tasks) {
    return Price.of(
        BagParser.parse("name: a\nbundle: a.jar\nentry_point: a.A\n" + yaml + "\n"), tasks);
  }
}
