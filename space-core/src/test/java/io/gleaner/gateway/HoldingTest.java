package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HoldingTest {
  private static final long MIB = 1024 * 1024;
  private final Holding.Total total = new Holding.Total(20 * MIB, 10 * MIB);
  private final Holding.OfOwner evil = new Holding.OfOwner(total);
  private final Holding.OfOwner bob = new Holding.OfOwner(total);

  @Test
  @Tag("S15")
  void anOwnersConnectionsAreCountedTogether() {
    Holding one = new Holding(evil);
    Holding other = new Holding(evil);
    assertThat(one.change(6 * MIB)).isFalse();
    assertThat(other.change(4 * MIB)).isFalse();
    assertThat(other.change(1)).isTrue();
    assertThat(evil.isTooMuch()).isTrue();
    assertThat(new Holding(bob).change(MIB)).isFalse();
    one.end();
    assertThat(evil.isTooMuch()).isFalse();
    assertThat(evil.bytes()).isEqualTo(4 * MIB + 1);
    assertThat(total.bytes()).isEqualTo(5 * MIB + 1);
  }

  @Test
  void whatEndsLaterThanItsConnectionIsNotCountedTwice() {
    Holding one = new Holding(evil);
    one.change(MIB);
    one.end();
    assertThat(one.change(-MIB)).isFalse();
    one.end();
    assertThat(total.bytes()).isZero();
  }

  @Test
  @Tag("S15")
  void allOwnersTogetherAreBounded() {
    Holding.OfOwner third = new Holding.OfOwner(total);
    assertThat(new Holding(evil).change(9 * MIB)).isFalse();
    assertThat(new Holding(bob).change(9 * MIB)).isFalse();
    assertThat(new Holding(third).change(2 * MIB)).isFalse();
    assertThat(new Holding(third).change(1)).isTrue();
    assertThat(third.isTooMuch()).isFalse();
    assertThat(total.isTooMuch()).isTrue();
  }

  @Test
  @Tag("S15")
  void chunksOfBlobsWaitWhileMuchIsHeldButForALittle() {
    new Holding(evil).change(5 * MIB - 1);
    assertThat(evil.hasRoom()).isTrue();
    new Holding(evil).change(1);
    assertThat(evil.hasRoom()).isFalse();
    new Holding(bob).change(4 * MIB);
    assertThat(bob.hasRoom()).isTrue();
    Holding third = new Holding(new Holding.OfOwner(total));
    third.change(2 * MIB);
    assertThat(bob.hasRoom()).isFalse();
    assertThat(new Holding.OfOwner(total).hasRoom()).isTrue();
  }
}
