package io.gleaner.node;

import io.gleaner.blob.BlobSettings;
import io.gleaner.limits.Rates;
import io.gleaner.notice.WebhookHosts;
import io.gleaner.space.core.LeaseCaps;
import io.gleaner.space.core.Limits;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a node grants its users at most; validated here.
 *
 * <p>Entries have no longest lease: the tasks of a bag are entries, and stay until the bag ends.
 *
 * @param blobs how long a blob is at most, and all of one user together
 * @param blobSweep how often blobs that nobody uses are looked for
 * @param registrationLease longest lease of a registration for events
 * @param transactionLease longest lease of a transaction
 * @param sessionLease how long the session of a client lives that is not heard of
 * @param classes entry classes and spaces of a user
 * @param webhooks where the node tells what becomes of a bag
 * @param rates how often each may ask
 */
public record NodeLimits(
    BlobSettings blobs,
    Duration blobSweep,
    Duration registrationLease,
    Duration transactionLease,
    Duration sessionLease,
    ClassLimits classes,
    WebhookHosts webhooks,
    Rates rates) {

  /** The market itself needs leases of transactions and registrations of up to a minute. */
  private static final Duration LEAST_LEASE = Duration.ofMinutes(1);

  private static final Duration LEAST_SESSION = Duration.ofSeconds(5);
  private static final Duration LEAST_SWEEP = Duration.ofSeconds(1);
  private static final Duration ENDLESS = Duration.ofMillis(Long.MAX_VALUE);

  /**
   * Checks every limit.
   *
   * @throws IllegalArgumentException with all that is wrong
   */
  public NodeLimits {
    List<String> wrong = new ArrayList<>();
    if (blobs.limitBytes() > blobs.quotaBytes()) {
      wrong.add(
          "a blob may have "
              + blobs.limitBytes()
              + " bytes and all blobs of a user "
              + blobs.quotaBytes()
              + ", expected no less for all than for one");
    }
    atLeast(wrong, "the time between sweeps of blobs", blobSweep, LEAST_SWEEP);
    atLeast(wrong, "the longest lease of a registration", registrationLease, LEAST_LEASE);
    atLeast(wrong, "the longest lease of a transaction", transactionLease, LEAST_LEASE);
    atLeast(wrong, "the lease of a session", sessionLease, LEAST_SESSION);
    classes.check(wrong);
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException("limits of the node: " + String.join("; ", wrong));
    }
  }

  private static void atLeast(List<String> wrong, String what, Duration value, Duration least) {
    if (value.compareTo(ENDLESS) > 0) {
      wrong.add(what + " is longer than 292 million years, expected less");
    } else if (value.compareTo(least) < 0) {
      String seconds =
          BigDecimal.valueOf(value.getSeconds())
              .add(BigDecimal.valueOf(value.getNano(), 9))
              .stripTrailingZeros()
              .toPlainString();
      wrong.add(what + " is " + seconds + " s, expected " + least.toSeconds() + " s or more");
    }
  }

  /**
   * Blobs of 1 GiB and 64 GiB for each user, looked at every ten minutes; registrations without an
   * end, transactions for an hour, sessions for a minute; 2,000 classes and 1,000 spaces of a user;
   * the usual rates.
   */
  public static NodeLimits standard() {
    return new NodeLimits(
        BlobSettings.standard(),
        Duration.ofMinutes(10),
        ENDLESS,
        Duration.ofMillis(LeaseCaps.DEFAULT.transactionMillis()),
        Duration.ofMillis(LeaseCaps.DEFAULT.sessionMillis()),
        ClassLimits.standard(),
        WebhookHosts.PUBLIC,
        Rates.standard());
  }

  /** What the space is told. */
  Limits ofSpace() {
    LeaseCaps leases =
        new LeaseCaps(
            LeaseCaps.DEFAULT.entryMillis(),
            registrationLease.toMillis(),
            transactionLease.toMillis(),
            sessionLease.toMillis());
    return Limits.DEFAULT
        .with(leases)
        .withClasses(classes.classes(), classes.spaces(), classes.bytes());
  }
}
