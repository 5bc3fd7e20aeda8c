package io.gleaner.tls;

import static io.gleaner.secrets.Refused.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.authority.Authority;
import io.gleaner.authority.P256;
import io.gleaner.authority.SigningRequest;
import io.gleaner.authority.TestPool;
import io.gleaner.authority.Trust;
import io.gleaner.secrets.SecurityRefusal.Code;
import io.gleaner.tls.MemberFile.Membership;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class MemberFileTest {
  @TempDir Path folder;
  private TestPool pool;
  private MemberFile file;

  @BeforeEach
  void aMachineThatHasNotJoined() throws Exception {
    pool = TestPool.fresh();
    file = new MemberFile(folder.resolve("launcher"), pool.around);
    assertThat(file.read()).isEmpty();
  }

  @Test
  void theKeyStaysTheSameUntilItHasACertificate() throws Exception {
    KeyPair pending = file.pendingKey();
    assertThat(file.pendingKey().getPublic()).isEqualTo(pending.getPublic());
    assertThat(mode("pending-key.pem")).isEqualTo("rw-------");

    Membership joined = join();
    assertThat(file.read()).contains(joined);
    assertThat(mode("member.pem")).isEqualTo("rw-------");
    assertThat(joined.credentials().certificate().getPublicKey()).isEqualTo(pending.getPublic());
    assertThat(joined.trust()).isEqualTo(pool.authority.trust());
    try (Stream<Path> left = Files.list(folder.resolve("launcher"))) {
      assertThat(left).hasSize(1);
    }
  }

  @Test
  void aRenewalReplacesKeyCertificateAndAuthoritiesTogether() {
    Membership first = join();
    pool.authority.rotate();
    KeyPair next = file.pendingKey();
    assertThat(file.read()).contains(first);
    X509Certificate renewed =
        pool.authority
            .renew(
                first.credentials().certificate(),
                SigningRequest.decode(SigningRequest.encode(next)))
            .certificate();
    Membership second = file.joined(answer(renewed), first.trust());

    assertThat(file.read()).contains(second);
    assertThat(second.trust().authorities()).hasSize(2);
    assertThat(second.trust()).isEqualTo(pool.authority.trust());
    assertThat(second.credentials().certificate().getPublicKey()).isEqualTo(next.getPublic());
  }

  @Test
  void anAnswerForAnotherKeyOrByAnotherAuthorityChangesNothing() throws Exception {
    Membership first = join();
    X509Certificate foreign = pool.device("d1", P256.generate()).certificate();
    assertRefused(
        Code.NOT_TRUSTED, "for another key", () -> file.joined(answer(foreign), first.trust()));
    TestPool other = TestPool.fresh();
    X509Certificate forged = other.device("d1", file.pendingKey()).certificate();
    assertRefused(
        Code.NOT_TRUSTED,
        "not issued by an authority",
        () ->
            file.joined(
                Stream.concat(Stream.of(forged), other.authority.trust().above().stream()).toList(),
                first.trust()));
    assertThat(file.read()).contains(first);
  }

  @Test
  void aFileThatOthersReadOrThatIsDamagedIsRefused() throws Exception {
    Membership joined = join();
    assertThat(Authority.renewableFrom(joined.credentials().certificate()))
        .isAfter(pool.around.instant().plus(Duration.ofDays(59)));
    Path member = folder.resolve("launcher").resolve("member.pem");
    Files.setPosixFilePermissions(member, PosixFilePermissions.fromString("rw-r--r--"));
    assertRefused(Code.SECRET_FILE_OPEN, "chmod 600", () -> file.read());
    Files.setPosixFilePermissions(member, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(member, "nothing");
    assertRefused(Code.INVALID, "no certificate", () -> file.read());
  }

  @Test
  @Tag("S13")
  void aKeyDoesNotShowItself() {
    Membership joined = join();
    BigInteger secret = ((ECPrivateKey) joined.credentials().key()).getS();
    assertThat(joined.toString())
        .contains("credentials of CN=device d1")
        .doesNotContainIgnoringCase(secret.toString(16).substring(8, 24))
        .doesNotContain(secret.toString().substring(8, 24))
        .doesNotContainIgnoringCase("private");
  }

  @Test
  void anOperatorsOwnCertificateNeedsItsKey() throws Exception {
    KeyPair keys = P256.generate();
    Membership joined = join();
    Path chain = folder.resolve("chain.pem");
    Files.copy(folder.resolve("launcher").resolve("member.pem"), chain);
    assertThat(
            Credentials.ofFiles(
                Files.writeString(
                    chain,
                    io.gleaner.authority.Certificates.pem(
                        List.of(joined.credentials().certificate()))),
                folder.resolve("launcher").resolve("member.pem")))
        .isEqualTo(joined.credentials());
    assertRefused(
        Code.INVALID,
        "is not that of the certificate",
        () -> new Credentials(keys.getPrivate(), joined.credentials().chain()));
  }

  private Membership join() {
    KeyPair pending = file.pendingKey();
    return file.joined(answer(pool.device("d1", pending).certificate()), trust());
  }

  private Trust trust() {
    return pool.authority.trust();
  }

  private List<X509Certificate> answer(X509Certificate certificate) {
    return Stream.concat(Stream.of(certificate), trust().above().stream()).toList();
  }

  private String mode(String name) throws Exception {
    return PosixFilePermissions.toString(
        Files.getPosixFilePermissions(folder.resolve("launcher").resolve(name)));
  }
}
