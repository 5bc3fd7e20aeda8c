package io.gleaner.signing;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/**
 * What a device says of a result that it computed. Signed with the key of its certificate, so that
 * anybody who has the certificate can check a receipt later; whether the certificate is the pool's,
 * and was valid and not revoked then, is another question.
 *
 * @param job up to 100 printable characters
 * @param task index in its bag
 * @param sha256 of the result's bytes
 */
public record ResultStatement(String job, long task, int replica, long attempt, String sha256) {

  public ResultStatement {
    if (!job.matches("[!-~]{1,100}")
        || task < 0
        || replica < 0
        || attempt < 0
        || !Digests.isSha256Hex(sha256)) {
      throw new SecurityRefusal(
          Code.INVALID,
          "a result is stated with a job, numbers from 0 up and a SHA-256 in hexadecimal digits");
    }
  }

  /** The one text of this statement. */
  public byte[] encode() {
    String text =
        "gleaner-result: 1\njob: "
            + job
            + "\ntask: "
            + task
            + "\nreplica: "
            + replica
            + "\nattempt: "
            + attempt
            + "\nsha256: "
            + sha256
            + "\n";
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The device's signature: ECDSA with SHA-256 over {@link #encode}, in DER form. */
  public byte[] sign(PrivateKey device) {
    return Signatures.sign(device, encode());
  }

  /**
   * Checks a signature.
   *
   * @throws SecurityRefusal if it is not that of the certificate's key over this statement
   */
  public void require(X509Certificate device, byte[] signature) {
    if (!device.getPublicKey().getAlgorithm().equals("EC")
        || !Signatures.verifies(device.getPublicKey(), encode(), signature)) {
      throw new SecurityRefusal(
          Code.SIGNATURE_REFUSED,
          "the signature of the result of task "
              + task
              + " of job "
              + job
              + " is not that of the device's certificate");
    }
  }
}
