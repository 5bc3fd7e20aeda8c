package io.gleaner.space.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class CellKeyTest {

  /** The key 00 01 .. 0f and the message 00 01 .. 07 of the reference implementation. */
  @Test
  @Tag("S4")
  void numbersAreThoseOfSipHash() {
    CellKey key = new CellKey(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
    assertThat(key.numberOf(0x0706050403020100L)).isEqualTo(0x93f5f5799a932462L);
  }

  @Test
  void itDoesNotShowItself() {
    assertThat(new CellKey(123456789, 987654321)).hasToString("CellKey[secret]");
  }
}
