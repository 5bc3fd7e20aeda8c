package io.gleaner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class UniformPriceTest {

  @Test
  void liesHalfWayBetweenThePairThatTradesWhenNobodyElseIsThere() {
    assertThat(UniformPrice.of(10, 4, UniformPrice.NO_BID, UniformPrice.NO_ASK)).isEqualTo(7);
  }

  @Test
  void isRaisedByALosingBidAndLoweredByALosingAsk() {
    assertThat(UniformPrice.of(10, 4, 6, UniformPrice.NO_ASK)).isEqualTo(8);
    assertThat(UniformPrice.of(10, 4, UniformPrice.NO_BID, 8)).isEqualTo(6);
    assertThat(UniformPrice.of(10, 4, 6, 8)).isEqualTo(7);
  }

  @Test
  void isTheBidWhereTheSameBidWouldHaveBoughtMore() {
    assertThat(UniformPrice.of(10, 4, 10, UniformPrice.NO_ASK)).isEqualTo(10);
  }

  @Test
  void isTheAskWhereTheSameAskWouldHaveSoldMore() {
    assertThat(UniformPrice.of(10, 4, UniformPrice.NO_BID, 4)).isEqualTo(4);
  }

  @Test
  void isRoundedDownAndDoesNotOverflow() {
    assertThat(UniformPrice.of(4, 3, UniformPrice.NO_BID, UniformPrice.NO_ASK)).isEqualTo(3);
    assertThat(UniformPrice.of(Long.MAX_VALUE - 1, Long.MAX_VALUE - 3, 0, UniformPrice.NO_ASK))
        .isEqualTo(Long.MAX_VALUE - 2);
  }

  @Test
  void refusesAPairThatShouldNotTrade() {
    assertThatThrownBy(() -> UniformPrice.of(3, 4, UniformPrice.NO_BID, UniformPrice.NO_ASK))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
