package io.gleaner.enrolment;

import static io.gleaner.secrets.Refused.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.authority.Fingerprint;
import io.gleaner.authority.IssuedCertificate;
import io.gleaner.authority.P256;
import io.gleaner.authority.PoolRole;
import io.gleaner.authority.SigningRequest;
import io.gleaner.authority.TestPool;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.security.KeyPair;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EnrolmentTest {
  private final KeyPair keys = P256.generate();
  private final byte[] request = SigningRequest.encode(keys);
  private TestPool pool;
  private JoinTokens tokens;
  private Enrolment enrolment;

  @BeforeEach
  void aPool() throws Exception {
    pool = TestPool.fresh();
    tokens = new JoinTokens(pool.around.database(), pool.around);
    enrolment = new Enrolment(pool.authority, tokens);
  }

  @Test
  void theTokenSaysWhoItsHolderIs() {
    JoinToken token = invite(PoolRole.APPLICATION, "bob");
    IssuedCertificate issued = enrolment.join(token.secret(), request);

    assertThat(issued.identity().role()).isEqualTo(PoolRole.APPLICATION);
    assertThat(issued.identity().owner()).isEqualTo("bob");
    assertThat(issued.certificate().getPublicKey()).isEqualTo(keys.getPublic());
    assertThat(token.isOf(pool.authority.fingerprint())).isTrue();
    assertThat(token.isOf(Fingerprint.of(keys.getPublic()))).isFalse();
  }

  @Test
  void whoLostTheAnswerAsksAgainAndAnotherKeyIsRefused() {
    JoinToken token = invite(PoolRole.DEVICE, "ada");
    IssuedCertificate issued = enrolment.join(token.secret(), request);

    assertThat(enrolment.join(token.text(), request)).isEqualTo(issued);
    byte[] second = SigningRequest.encode(P256.generate());
    assertRefused(
        Code.TOKEN_REFUSED,
        "another key has used this join token already",
        () -> enrolment.join(token.secret(), second));
    assertThat(tokens.check(token.secret())).isEmpty();
  }

  @Test
  void aBrowserRenewsForTheSameKeyInTheLastThirdOfItsTime() {
    JoinToken token = invite(PoolRole.BROWSER, "ada");
    IssuedCertificate first = enrolment.joinBrowser(token.secret(), keys.getPublic(), "here");
    assertRefused(
        Code.NOT_RENEWABLE,
        "may be renewed from",
        () -> enrolment.renewBrowser(first.certificate()));

    pool.passes(Duration.ofDays(61));
    IssuedCertificate second = enrolment.renewBrowser(first.certificate());

    assertThat(second.identity()).isEqualTo(first.identity());
    assertThat(second.certificate().getPublicKey()).isEqualTo(keys.getPublic());
    assertThat(second.certificate().getNotAfter()).isAfter(first.certificate().getNotAfter());
    assertThat(enrolment.renewBrowser(first.certificate()))
        .as("whose answer was lost")
        .isEqualTo(second);
  }

  @Test
  void aTokenForABrowserAndOneForADeviceAreNotUsedUpAtTheWrongDoor() {
    JoinToken browser = invite(PoolRole.BROWSER, "ada");
    JoinToken device = invite(PoolRole.DEVICE, "ada");

    assertRefused(
        Code.TOKEN_REFUSED,
        "joins at the console's address",
        () -> enrolment.join(browser.secret(), request));
    assertRefused(
        Code.TOKEN_REFUSED,
        "is not for a browser",
        () -> enrolment.joinBrowser(device.secret(), P256.generate().getPublic(), "home"));
    assertThat(enrolment.join(device.secret(), request).identity().role())
        .isEqualTo(PoolRole.DEVICE);
    assertThat(enrolment.joinBrowser(browser.secret(), keys.getPublic(), "home").identity().role())
        .isEqualTo(PoolRole.BROWSER);
  }

  @Test
  void ofManyKeysThatUseATokenAtOnceOneWins() throws Exception {
    JoinToken token = invite(PoolRole.DEVICE, "ada");
    Callable<Boolean> attempt =
        () -> {
          try {
            return enrolment.join(token.secret(), SigningRequest.encode(P256.generate())) != null;
          } catch (SecurityRefusal refusal) {
            assertThat(refusal.code()).isEqualTo(Code.TOKEN_REFUSED);
            return false;
          }
        };
    ExecutorService threads = Executors.newFixedThreadPool(8);
    int won = 0;
    for (Future<Boolean> each :
        threads.invokeAll(Stream.generate(() -> attempt).limit(16).toList())) {
      won += each.get() ? 1 : 0;
    }
    threads.shutdown();
    assertThat(won).isEqualTo(1);
  }

  @Test
  void aTokenThatIsOverUnknownOrRevokedIsRefused() {
    JoinToken late = invite(PoolRole.DEVICE, "ada");
    JoinToken revoked = invite(PoolRole.DEVICE, "ada");
    JoinToken used = invite(PoolRole.DEVICE, "ada");
    enrolment.join(used.secret(), request);
    tokens.revoke(revoked.text());
    pool.passes(Duration.ofHours(1));

    assertRefused(Code.TOKEN_REFUSED, "ended at", () -> enrolment.join(late.secret(), request));
    assertRefused(Code.TOKEN_REFUSED, "ended at", () -> enrolment.join(used.secret(), request));
    assertRefused(
        Code.TOKEN_REFUSED, "does not know", () -> enrolment.join(revoked.secret(), request));
    assertRefused(
        Code.TOKEN_REFUSED, "does not know", () -> enrolment.join(Secret.random(), request));
    assertThat(tokens.sweep()).isEqualTo(2);
    assertRefused(
        Code.TOKEN_REFUSED, "does not know", () -> enrolment.join(late.secret(), request));
  }

  @Test
  @Tag("S2")
  void aRevokedMemberDoesNotComeBackWithItsToken() {
    JoinToken token = invite(PoolRole.DEVICE, "ada");
    IssuedCertificate issued = enrolment.join(token.secret(), request);
    pool.authority.revoke(issued.identity(), "stolen");
    assertRefused(Code.REVOKED, "stolen", () -> enrolment.join(token.secret(), request));
  }

  @Test
  void aRequestThatProvesNothingUsesNoToken() {
    JoinToken token = invite(PoolRole.DEVICE, "ada");
    assertRefused(
        Code.REQUEST_REFUSED, "PKCS#10", () -> enrolment.join(token.secret(), new byte[10]));
    assertThat(enrolment.join(token.secret(), request)).isNotNull();
  }

  @Test
  void aMistypedTokenIsToldAsSuch() {
    String text = invite(PoolRole.DEVICE, "ada").text().reveal();
    assertThat(text).matches("gleaner_[0-9a-z]{58}");
    assertThat(parse("  " + text.toUpperCase(Locale.ROOT)).text().reveal()).isEqualTo(text);
    assertThat(parse(text.substring(0, 20) + "-\n " + text.substring(20)).text().reveal())
        .isEqualTo(text);

    Random random = new Random(7);
    for (int i = 0; i < 500; i++) {
      StringBuilder typed = new StringBuilder(text);
      int at = random.nextInt("gleaner_".length(), text.length());
      char other = "0123456789abcdefghjkmnpqrstvwxyz".charAt(random.nextInt(32));
      if (other != text.charAt(at)) {
        typed.setCharAt(at, other);
        assertRefused(Code.TOKEN_REFUSED, "copy it again", () -> parse(typed.toString()));
      }
    }
    for (String wrong :
        List.of(text.substring(1), text.substring(0, 40), text + "x", "gleaner_", text + text)) {
      assertRefused(Code.TOKEN_REFUSED, "join token", () -> parse(wrong));
    }
    assertRefused(
        Code.TOKEN_REFUSED,
        "mistyped",
        () -> enrolment.join(Secret.of(text.substring(0, 65) + "!"), request));
  }

  @Test
  void aTokenDoesNotShowItself() {
    JoinToken token = invite(PoolRole.DEVICE, "ada");
    assertThat(token.toString() + token.text() + token.secret()).doesNotContain("gleaner_");
  }

  private static JoinToken parse(String text) {
    return JoinToken.parse(Secret.of(text.strip()));
  }

  private JoinToken invite(PoolRole role, String owner) {
    return tokens.invite(role, owner, Duration.ofHours(1), pool.authority.fingerprint());
  }
}
