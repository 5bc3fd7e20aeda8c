package io.gleaner.signing;

import static io.gleaner.secrets.Refused.assertRefused;

import io.gleaner.authority.P256;
import io.gleaner.authority.TestPool;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("S8")
class ResultStatementTest {
  private static final String DIGEST = Digests.sha256Hex("result");

  @Test
  void anybodyWithTheCertificateChecksAResult() throws Exception {
    KeyPair keys = P256.generate();
    TestPool pool = TestPool.fresh();
    X509Certificate device = pool.device("d1", keys).certificate();
    ResultStatement statement = new ResultStatement("job-1", 7, 0, 2, DIGEST);
    byte[] signature = statement.sign(keys.getPrivate());

    statement.require(device, signature);
    for (ResultStatement other :
        List.of(
            new ResultStatement("job-2", 7, 0, 2, DIGEST),
            new ResultStatement("job-1", 8, 0, 2, DIGEST),
            new ResultStatement("job-1", 7, 1, 2, DIGEST),
            new ResultStatement("job-1", 7, 0, 3, DIGEST),
            new ResultStatement("job-1", 7, 0, 2, Digests.sha256Hex("another")))) {
      assertRefused(
          Code.SIGNATURE_REFUSED, "is not that of", () -> other.require(device, signature));
    }
    X509Certificate another = pool.device("d2", P256.generate()).certificate();
    assertRefused(
        Code.SIGNATURE_REFUSED, "is not that of", () -> statement.require(another, signature));
    assertRefused(
        Code.SIGNATURE_REFUSED,
        "is not that of",
        () -> statement.require(device, new byte[] {1, 2, 3}));
    assertRefused(
        Code.INVALID, "is stated with", () -> new ResultStatement("a\nb", 0, 0, 0, DIGEST));
  }
}
