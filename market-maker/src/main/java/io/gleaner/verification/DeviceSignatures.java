package io.gleaner.verification;

import io.gleaner.authority.IssuedCertificate;
import io.gleaner.authority.PoolRegistry;
import io.gleaner.limits.Recent;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.signing.ResultStatement;
import io.gleaner.tuple.ResultEntry;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;

/**
 * Demands that each result is signed with the key of a certificate of the launcher that the
 * contract names. Safe for all threads; reads the database for certificates that it does not
 * remember.
 */
public final class DeviceSignatures implements ResultSignatures {
  private static final int MOST_CERTIFICATES = 10_000;
  private static final int LONGEST_SIGNATURE = 80;
  private static final Pattern SERIAL = Pattern.compile("[0-9a-f]{1,32}");

  private final PoolRegistry registry;
  private final LongAdder refused = new LongAdder();
  // Guarded by itself.
  private final Map<String, IssuedCertificate> known = new Recent<>(MOST_CERTIFICATES);

  public DeviceSignatures(PoolRegistry registry) {
    this.registry = registry;
  }

  /** How many results were refused for want of a signature that holds. */
  public long refused() {
    return refused.sum();
  }

  @Override
  public Optional<String> refusal(ResultEntry result, String owner) throws IOException {
    Optional<String> why = trouble(result, owner);
    if (why.isPresent()) {
      refused.increment();
    }
    return why.map(trouble -> "it is not signed by its device: " + trouble);
  }

  private Optional<String> trouble(ResultEntry result, String owner) throws IOException {
    if (result.signature == null || result.certificate == null) {
      return Optional.of("there is no signature");
    }
    if (result.signature.length > LONGEST_SIGNATURE
        || !SERIAL.matcher(result.certificate).matches()) {
      return Optional.of("what is there is no signature and serial number of a certificate");
    }
    try {
      Optional<IssuedCertificate> device = certificate(result.certificate);
      if (device.filter(issued -> isOf(issued, result.launcherId, owner)).isEmpty()) {
        return Optional.of(
            "the certificate " + result.certificate + " is none of " + result.launcherId);
      }
      new ResultStatement(
              result.jobId, result.taskIndex, result.replica, result.attempt, result.outputDigest)
          .require(device.get().certificate(), result.signature);
      return Optional.empty();
    } catch (SecurityRefusal e) {
      if (e.code() == SecurityRefusal.Code.STORAGE) {
        throw new IOException("the certificates of the pool cannot be read now", e);
      }
      return Optional.of(e.getMessage());
    }
  }

  private static boolean isOf(IssuedCertificate issued, String launcherId, String owner) {
    return issued.identity().role().lends()
        && issued.identity().id().equals(launcherId)
        && issued.identity().owner().equals(owner);
  }

  private Optional<IssuedCertificate> certificate(String serial) {
    synchronized (known) {
      IssuedCertificate before = known.get(serial);
      if (before != null) {
        return Optional.of(before);
      }
    }
    Optional<IssuedCertificate> found = registry.certificate(serial);
    synchronized (known) {
      found.ifPresent(issued -> known.put(serial, issued));
    }
    return found;
  }
}
