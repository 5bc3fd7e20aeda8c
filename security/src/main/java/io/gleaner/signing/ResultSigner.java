package io.gleaner.signing;

import java.util.Optional;

/** Signs what a device says of its results. Safe for all threads. */
@FunctionalInterface
public interface ResultSigner {
  /** A device without a certificate, as in tests without TLS. */
  ResultSigner NONE = statement -> Optional.empty();

  /**
   * A signature and with what it can be checked.
   *
   * @param certificate the serial number of the device's certificate
   * @param signature ECDSA in DER form, in hexadecimal digits
   */
  record Signed(String certificate, String signature) {}

  /** The signature, or empty if this device has no certificate. */
  Optional<Signed> sign(ResultStatement statement);
}
