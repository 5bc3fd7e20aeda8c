package io.gleaner.enrolment;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.gleaner.authority.Fingerprint;
import io.gleaner.fuzzing.Corpus;
import io.gleaner.fuzzing.Cost;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/** A join token as somebody typed it. */
public class JoinTokenFuzzTest {

  @MethodSource("tokens")
  @FuzzTest
  @Tag("S4")
  public void isRefusedOrOneToken(byte[] typed) {
    String text = new String(typed, StandardCharsets.UTF_8);
    try {
      JoinToken token = Cost.bounded(typed.length, () -> JoinToken.parse(Secret.of(text)));
      JoinToken again = JoinToken.parse(token.text());
      assertThat(again.text().reveal()).isEqualTo(token.text().reveal());
      assertThat(again.secret().reveal()).isEqualTo(token.secret().reveal());
    } catch (SecurityRefusal refused) {
      assertThat(refused.getMessage()).doesNotContain("gleaner_" + text);
    }
  }

  public static Stream<byte[]> tokens() {
    String token = JoinToken.random(Fingerprint.parse("ab".repeat(32))).text().reveal();
    return Corpus.with(
        JoinTokenFuzzTest.class,
        Stream.of(token, token.substring(0, 50), "gleaner_", token.replace('_', ' '))
            .map(text -> text.getBytes(StandardCharsets.UTF_8)));
  }
}
