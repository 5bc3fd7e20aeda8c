package io.gleaner.authority;

import static io.gleaner.secrets.Refused.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AuthorityTest {
  private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
  private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";

  private TestPool pool;
  private Authority authority;

  @BeforeEach
  void aNewPool() throws Exception {
    pool = TestPool.fresh();
    authority = pool.authority;
  }

  @Test
  void anAuthorityIsNamedAfterItsPoolAndMayNotMakeOthers() throws Exception {
    X509Certificate own = authority.trust().authorities().get(0);
    own.verify(own.getPublicKey());

    assertThat(own.getSubjectX500Principal().getName()).isEqualTo("CN=Gleaner pool home");
    assertThat(own.getBasicConstraints()).isZero();
    assertThat(own.getKeyUsage()).startsWith(false, false, false, false, false, true, true);
    assertThat(own.getSigAlgName()).isEqualTo("SHA256withECDSA");
    assertThat(Duration.between(pool.around.instant(), own.getNotAfter().toInstant()))
        .isEqualTo(Duration.ofDays(3652));
    assertThat(authority.fingerprint().toString()).matches("([0-9a-f]{4}:){15}[0-9a-f]{4}");
    assertThat(Fingerprint.parse(authority.fingerprint().toString()))
        .isEqualTo(authority.fingerprint());
  }

  @Test
  void aNodeServesUnderItsNamesAndADeviceNever() throws Exception {
    X509Certificate node = pool.node(P256.generate()).certificate();
    X509Certificate device = pool.device("d1", P256.generate()).certificate();

    assertThat(node.getExtendedKeyUsage()).containsExactly(SERVER_AUTH, CLIENT_AUTH);
    assertThat(node.getSubjectAlternativeNames())
        .extracting(name -> name.get(1).toString())
        .containsExactly("gleaner://home/node/-/n1", "localhost", "127.0.0.1");
    assertThat(device.getExtendedKeyUsage()).containsExactly(CLIENT_AUTH);
    assertThat(device.getSubjectAlternativeNames())
        .extracting(name -> name.get(1).toString())
        .containsExactly("gleaner://home/device/ada/d1");
    assertThat(device.getBasicConstraints()).isEqualTo(-1);

    Instant now = pool.around.instant();
    assertThat(authority.trust().checkNode(List.of(node), now).identity())
        .isEqualTo(PoolIdentity.node("home", "n1"));
    assertThat(authority.trust().check(List.of(device), now).identity())
        .isEqualTo(TestPool.device("d1"));
    assertThatThrownBy(() -> authority.trust().checkNode(List.of(device), now))
        .hasMessageContaining("is not a node of the pool, so it must not serve");
  }

  @Test
  void serialNumbersAreRandomAndCertificatesBeginAWhileAgo() {
    List<X509Certificate> issued =
        Stream.generate(() -> pool.device("d1", P256.generate()).certificate()).limit(20).toList();

    assertThat(issued).extracting(X509Certificate::getSerialNumber).doesNotHaveDuplicates();
    assertThat(issued).anyMatch(each -> each.getSerialNumber().bitLength() > 120);
    assertThat(issued)
        .allMatch(each -> each.getSerialNumber().bitLength() <= 128)
        .allMatch(each -> each.getSerialNumber().signum() > 0);
    assertThat(issued.get(0).getNotBefore())
        .isEqualTo(pool.around.instant().minus(Duration.ofMinutes(5)));
    assertThat(issued.get(0).getNotAfter())
        .isEqualTo(pool.around.instant().plus(Duration.ofDays(90)));
  }

  @Test
  void certificatesOutsideTheirTimeAreRefusedWithTheTimes() {
    X509Certificate device = pool.device("d1", P256.generate()).certificate();
    Trust trust = authority.trust();
    Instant now = pool.around.instant();

    assertRefused(
        Code.NOT_TRUSTED,
        "ended at",
        () -> trust.check(List.of(device), now.plus(Duration.ofDays(91))));
    assertRefused(
        Code.NOT_TRUSTED,
        "check the clocks",
        () -> trust.check(List.of(device), now.minus(Duration.ofMinutes(6))));
    assertRefused(
        Code.NOT_TRUSTED,
        "no authority of the pool home is valid now",
        () ->
            new Trust("home", trust.authorities(), List.of())
                .check(
                    List.of(
                        CertificateForms.member(
                            TestPool.device("d1"),
                            List.of(),
                            P256.generate().getPublic(),
                            P256.generate(),
                            new CertificateForms.Validity(now, now.plus(Duration.ofDays(9000))))),
                    now.plus(Duration.ofDays(8000))));
  }

  @Test
  void anotherAuthorityOfTheSameNameIsNotTrusted() throws Exception {
    TestPool other = TestPool.fresh();
    X509Certificate forged = other.device("d1", P256.generate()).certificate();
    List<X509Certificate> chain =
        Stream.concat(Stream.of(forged), other.authority.trust().above().stream()).toList();

    assertRefused(
        Code.NOT_TRUSTED,
        "not issued by an authority of the pool home",
        () -> authority.trust().check(chain, pool.around.instant()));
  }

  @Test
  void aMemberCannotActAsAnAuthority() {
    KeyPair device = P256.generate();
    X509Certificate issuer = pool.device("d1", device).certificate();
    Instant now = pool.around.instant();
    var validity = new CertificateForms.Validity(now, now.plus(Duration.ofDays(1)));
    X509Certificate forged =
        CertificateForms.member(
            PoolIdentity.node("home", "n9"),
            List.of(),
            P256.generate().getPublic(),
            device,
            validity);
    X509Certificate authorityByDevice =
        CertificateForms.authority("home", device.getPublic(), device, validity);

    assertRefused(
        Code.NOT_TRUSTED,
        "not issued by an authority",
        () -> authority.trust().check(List.of(forged, issuer), now));
    assertRefused(
        Code.NOT_TRUSTED,
        "not issued by an authority",
        () -> authority.trust().check(List.of(forged, authorityByDevice, issuer), now));
  }

  @Test
  void whoAsksAgainWithTheSameKeyGetsTheSameCertificate() {
    KeyPair keys = P256.generate();
    IssuedCertificate first = pool.device("d1", keys);

    assertThat(pool.device("d1", keys)).isEqualTo(first);
    assertThat(pool.device("d1", P256.generate()).serial()).isNotEqualTo(first.serial());
    assertThat(pool.device("d2", keys).serial()).isNotEqualTo(first.serial());
  }

  @Test
  void aCertificateIsRenewedInItsLastThirdWithTheSameOrANewKey() {
    KeyPair keys = P256.generate();
    X509Certificate first = pool.device("d1", keys).certificate();
    SigningRequest same = new SigningRequest(keys.getPublic());

    pool.passes(Duration.ofDays(59));
    assertRefused(Code.NOT_RENEWABLE, "may be renewed from", () -> authority.renew(first, same));
    pool.passes(Duration.ofDays(2));
    IssuedCertificate second = authority.renew(first, same);
    assertThat(second.certificate()).isNotEqualTo(first);
    assertThat(authority.renew(first, same)).isEqualTo(second);
    KeyPair next = P256.generate();
    IssuedCertificate third = authority.renew(first, new SigningRequest(next.getPublic()));

    assertThat(second.identity()).isEqualTo(third.identity()).isEqualTo(TestPool.device("d1"));
    assertThat(second.certificate().getNotAfter())
        .isEqualTo(pool.around.instant().plus(Duration.ofDays(90)));
    assertThat(third.certificate().getPublicKey()).isEqualTo(next.getPublic());

    pool.passes(Duration.ofDays(30));
    assertRefused(Code.NOT_TRUSTED, "ended at", () -> authority.renew(first, same));
  }

  @Test
  @Tag("S2")
  void whoWasRevokedGetsNothingMore() {
    KeyPair keys = P256.generate();
    X509Certificate lost = pool.device("d1", keys).certificate();
    X509Certificate other = pool.device("d2", keys).certificate();
    pool.passes(Duration.ofDays(61));

    authority.revoke(TestPool.device("d1"), "stolen");
    SigningRequest request = new SigningRequest(keys.getPublic());
    assertRefused(Code.REVOKED, "stolen", () -> authority.renew(lost, request));
    assertRefused(Code.REVOKED, "stolen", () -> pool.device("d1", P256.generate()));

    authority.revoke(other, "key was shown");
    assertRefused(Code.REVOKED, "key was shown", () -> authority.renew(other, request));
    assertThat(pool.device("d2", P256.generate()).certificate()).isNotEqualTo(other);
  }

  @Test
  void afterARotationBothAuthoritiesAreTrustedUntilTheOldOneRetires() {
    KeyPair keys = P256.generate();
    X509Certificate before = pool.device("d1", keys).certificate();
    Trust old = authority.trust();
    Fingerprint first = authority.fingerprint();
    Instant now = pool.around.instant();

    Fingerprint second = authority.rotate();
    assertThat(second).isNotEqualTo(first).isEqualTo(authority.fingerprint());
    X509Certificate node = pool.node(P256.generate()).certificate();
    List<X509Certificate> chain =
        Stream.concat(Stream.of(node), authority.trust().above().stream()).toList();
    assertThat(old.checkNode(chain, now).issuer()).isEqualTo(first);
    assertRefused(Code.NOT_TRUSTED, "not issued by", () -> old.checkNode(List.of(node), now));
    assertThat(authority.trust().check(List.of(before), now).issuer()).isEqualTo(first);

    assertRefused(Code.INVALID, "still have certificates", () -> authority.retire(first, false));
    assertRefused(Code.INVALID, "is the one that issues", () -> authority.retire(second, true));
    Fingerprint unknown = Fingerprint.of(keys.getPublic());
    assertRefused(
        Code.INVALID, "the pool trusts no authority", () -> authority.retire(unknown, true));
    IssuedCertificate renewed = authority.renew(before, new SigningRequest(keys.getPublic()));
    assertThat(renewed.issuer()).isEqualTo(second);
    pool.passes(Duration.ofDays(1));

    authority.retire(first, true);
    assertThat(authority.trust().authorities()).hasSize(1);
    assertRefused(
        Code.NOT_TRUSTED,
        "not issued by",
        () -> authority.trust().check(List.of(before), pool.around.instant()));
    assertThat(
            authority
                .trust()
                .check(List.of(renewed.certificate()), pool.around.instant())
                .identity())
        .isEqualTo(TestPool.device("d1"));
  }

  @Test
  void whoMissedRotationsBelievesNodesOfTheNewestAuthority() {
    pool.device("d1", P256.generate());
    List<Trust> known = new ArrayList<>();
    for (int rotations = 0; rotations < 4; rotations++) {
      known.add(authority.trust());
      authority.rotate();
    }
    X509Certificate node = pool.node(P256.generate()).certificate();
    List<X509Certificate> above = authority.trust().above();
    List<X509Certificate> chain = Stream.concat(Stream.of(node), above.stream()).toList();
    List<X509Certificate> alone =
        Stream.concat(Stream.of(node), authority.trust().authorities().stream()).toList();
    Instant now = pool.around.instant();
    for (Trust each : known) {
      Trust pinned = new Trust("home", List.of(each.authorities().get(0)), List.of());
      assertThat(each.checkNode(chain, now).certificate()).isEqualTo(node);
      assertThat(pinned.checkNode(chain, now).issuer())
          .isEqualTo(Fingerprint.of(each.authorities().get(0)));
      assertRefused(Code.NOT_TRUSTED, "not issued by", () -> pinned.checkNode(alone, now));
    }
  }

  @Test
  void anOldAuthorityRetiresByItselfWhenItsCertificatesHaveEnded() {
    pool.device("d1", P256.generate());
    Fingerprint first = authority.fingerprint();
    authority.rotate();
    pool.passes(Duration.ofDays(91));
    authority.retire(first, false);
    assertThat(authority.trust().authorities()).hasSize(1);
  }

  @Test
  void nodesDoNotGetCertificatesByRequest() {
    SigningRequest request = new SigningRequest(P256.generate().getPublic());
    assertRefused(
        Code.INVALID,
        "does not get a certificate by a request",
        () -> authority.issue(PoolIdentity.node("home", "n2"), request));
    assertRefused(
        Code.INVALID,
        "does not get a certificate by a request",
        () -> authority.issue(new PoolIdentity("other", PoolRole.DEVICE, "ada", "d1"), request));
    X509Certificate node = pool.node(P256.generate()).certificate();
    pool.passes(Duration.ofDays(80));
    assertRefused(
        Code.INVALID, "issues its certificates itself", () -> authority.renew(node, request));
  }

  @Test
  void theKeyOpensWithItsPassphraseOnly() throws Exception {
    var kept = new TestPool.Kept();
    TestPool fresh = TestPool.fresh();
    AuthoritySettings settings = AuthoritySettings.of("home");
    assertRefused(
        Code.AUTHORITY_LOCKED,
        "is not here",
        () -> Authority.open(settings, fresh.registry, kept, Secret.of("x"), fresh.around));
    assertThat(
            Authority.open(settings, fresh.registry, fresh.keys, TestPool.PASSPHRASE, fresh.around)
                .fingerprint())
        .isEqualTo(fresh.authority.fingerprint());

    KeyPair keys = P256.generate();
    X509Certificate own = fresh.authority.trust().authorities().get(0);
    Secret right = Secret.of("right passphrase");
    byte[] sealed = SealedKey.STRONG.seal(keys, right);
    assertRefused(
        Code.AUTHORITY_LOCKED,
        "is not that of the authority",
        () -> SealedKey.open(sealed, own, right));
    assertRefused(
        Code.AUTHORITY_LOCKED,
        "cannot be opened with this passphrase",
        () -> SealedKey.open(sealed, own, Secret.of("wrong passphrase")));
    sealed[sealed.length / 2] ^= 1;
    assertRefused(Code.AUTHORITY_LOCKED, "or is damaged", () -> SealedKey.open(sealed, own, right));
  }

  @Test
  void aDatabaseOfAnotherPoolIsRefused() {
    assertRefused(
        Code.INVALID,
        "another pool",
        () ->
            Authority.open(
                AuthoritySettings.of("elsewhere"),
                pool.registry,
                pool.keys,
                TestPool.PASSPHRASE,
                pool.around));
  }
}
