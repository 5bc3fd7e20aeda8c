package io.gleaner.verification;

/**
 * How verification works through results.
 *
 * @param batch the most results that are judged and paid together, 1 to 1000
 * @param lookMillis how long after it found no results it looks again
 * @param waitMillis how long it waits when something failed, and when results were postponed
 * @param leaseMillis how long a batch may take before its results return to the space
 * @param extraReplicas copies that may be added to a task whose results disagree
 * @param attempts attempts of a task, refused results included, after which it is parked
 */
public record VerifierSettings(
    int batch,
    long lookMillis,
    long waitMillis,
    long leaseMillis,
    int extraReplicas,
    int attempts) {
  public VerifierSettings {
    check(batch >= 1 && batch <= 1_000, "batch = " + batch, "1 to 1000");
    check(lookMillis >= 1 && lookMillis <= 10_000, "lookMillis = " + lookMillis, "1 to 10000");
    check(waitMillis >= 1 && waitMillis <= 10_000, "waitMillis = " + waitMillis, "1 to 10000");
    check(
        leaseMillis >= 2 * waitMillis,
        "leaseMillis = " + leaseMillis,
        "at least twice waitMillis = " + waitMillis);
    check(
        extraReplicas >= 0 && extraReplicas <= 100, "extraReplicas = " + extraReplicas, "0 to 100");
    check(attempts >= 1, "attempts = " + attempts, "at least 1");
  }

  /** What suits one node. */
  public static VerifierSettings defaults() {
    return new VerifierSettings(200, 100, 1_000, 30_000, 3, 50);
  }

  private static void check(boolean holds, String given, String expected) {
    if (!holds) {
      throw new VerificationException(
          VerificationException.Code.INVALID, "verifier: " + given + ", expected " + expected);
    }
  }
}
