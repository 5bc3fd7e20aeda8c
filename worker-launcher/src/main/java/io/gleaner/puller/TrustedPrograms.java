package io.gleaner.puller;

import io.gleaner.leasing.Ticker;
import io.gleaner.limits.Recent;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.signing.BundleManifest;
import io.gleaner.signing.BundleTrust;
import io.gleaner.signing.Digests;
import io.gleaner.signing.SeenBundles;
import io.gleaner.signing.SignedManifest;
import io.gleaner.signing.Signer;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.SignerEntry;
import java.rmi.RemoteException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.transaction.TransactionException;
import net.jini.space.JavaSpace;

/**
 * Whether the owner of this machine lets the program of a bag run, asked before any task of it is
 * taken and again every few seconds. One thread.
 */
final class TrustedPrograms {
  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long REFUSED_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final int MOST_REFUSED = 64;

  private final TupleSpace space;
  private final Set<Signer> named;
  private final SeenBundles seen;
  private final Ticker ticker;
  private final Map<String, Verdict> verdicts = new HashMap<>();
  private final Map<String, Long> refused = new Recent<>(MOST_REFUSED);

  private record Verdict(Optional<String> refusal, long atNanos) {}

  /**
   * @param named the only signers that the owner trusts; none for all that the pool vouches for,
   *     and for WebAssembly of anybody
   */
  TrustedPrograms(TupleSpace space, Set<Signer> named, SeenBundles seen, Ticker ticker) {
    this.space = space;
    this.named = Set.copyOf(named);
    this.seen = seen;
    this.ticker = ticker;
  }

  /** Why the program may not run here, or empty if it may. */
  Optional<String> refusal(JobEntry job)
      throws RemoteException, TransactionException, UnusableEntryException, InterruptedException {
    Verdict last = verdicts.get(job.jobId);
    if (last == null || ticker.nanos() - last.atNanos() > AGAIN_NANOS) {
      last = new Verdict(decide(job), ticker.nanos());
      verdicts.put(job.jobId, last);
      if (last.refusal().isPresent() && job.manifest != null) {
        refused.put(Digests.sha256Hex(job.manifest), last.atNanos());
      }
    }
    return last.refusal();
  }

  /**
   * SHA-256 of the signed manifests that were refused a short while ago; what is not told any more
   * is tried once again.
   */
  List<String> refused() {
    refused.values().removeIf(since -> ticker.nanos() - since > REFUSED_NANOS);
    return refused.keySet().stream().sorted().toList();
  }

  /** Forgets all bags but these. */
  void retain(Set<String> jobs) {
    verdicts.keySet().retainAll(jobs);
  }

  private Optional<String> decide(JobEntry job)
      throws RemoteException, TransactionException, UnusableEntryException, InterruptedException {
    if (job.manifest == null || job.manifest.length == 0) {
      return Optional.of("its program is not signed");
    }
    try {
      SignedManifest signed = SignedManifest.decode(job.manifest);
      Optional<String> other =
          signed
              .manifest()
              .isNotOf(
                  BundleManifest.Kind.valueOf(job.kind.name()), job.entryPoint, job.bundleDigest);
      if (other.isPresent()) {
        return other;
      }
      boolean vouchedFor = named.isEmpty() && says(signed.signer().hex(), false);
      boolean revoked = says(signed.signer().hex(), true) || says(signed.digest(), true);
      new BundleTrust(named, signer -> vouchedFor, named.isEmpty(), subject -> revoked)
          .require(signed, seen);
      return Optional.empty();
    } catch (SecurityRefusal e) {
      return Optional.of(e.getMessage());
    }
  }

  private boolean says(String subject, boolean revoked)
      throws RemoteException, TransactionException, UnusableEntryException, InterruptedException {
    return space.readIfExists(SignerEntry.of(subject, revoked), null, JavaSpace.NO_WAIT) != null;
  }
}
