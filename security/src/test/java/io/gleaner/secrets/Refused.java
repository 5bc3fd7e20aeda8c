package io.gleaner.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.secrets.SecurityRefusal.Code;

/** What tests say of refusals. */
public final class Refused {

  private Refused() {}

  public static void assertRefused(Code code, String part, Attempt attempt) {
    assertThatThrownBy(() -> attempt.run())
        .isInstanceOfSatisfying(
            SecurityRefusal.class, refusal -> assertThat(refusal.code()).isEqualTo(code))
        .hasMessageContaining(part);
  }

  /** Something that is to be refused. */
  @FunctionalInterface
  public interface Attempt {
    void run() throws Exception;
  }
}
