package io.gleaner.authority;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node knows of revocations, read from the registry every {@link #POLL}. When it could not
 * be read for {@link #PATIENCE}, or never, everybody is refused. {@link #check} may be called for
 * each frame by any thread: it takes no lock and reads no database.
 */
public final class Revocations {
  /** How often {@link #poll} is to be called. */
  public static final Duration POLL = Duration.ofSeconds(5);

  /** How old what is known may be. */
  public static final Duration PATIENCE = Duration.ofSeconds(45);

  private static final Logger LOG = LoggerFactory.getLogger(Revocations.class);

  /** What {@link #check} found. */
  public sealed interface Verdict {
    /** Neither the certificate nor its holder was revoked. */
    record Allowed() implements Verdict {}

    /** The certificate or its holder was revoked. */
    record Revoked(Revocation by) implements Verdict {}

    /** The registry could not be read for too long to know. */
    record Unknown() implements Verdict {}
  }

  private static final Verdict ALLOWED = new Verdict.Allowed();
  private static final Verdict UNKNOWN = new Verdict.Unknown();

  private record Known(
      long version, Map<String, Revocation> bySubject, List<String> nodes, long readNanos) {}

  private final PoolRegistry registry;
  private final LongSupplier nanos;
  private final List<Consumer<PoolRegistry.Changes>> listeners = new CopyOnWriteArrayList<>();
  private volatile Known known;

  @GuardedBy("this")
  private final List<Revocation> untold = new ArrayList<>();

  @GuardedBy("this")
  private boolean told = true;

  /**
   * Knows nothing until the first {@link #poll}.
   *
   * @param nanos a monotonic clock, as {@link System#nanoTime}
   */
  public Revocations(PoolRegistry registry, LongSupplier nanos) {
    this.registry = registry;
    this.nanos = nanos;
  }

  /**
   * Calls the listener, on the thread that polls, after each poll that found another version:
   * somebody was revoked, or other authorities are trusted. A listener that throws is called again
   * with the next poll.
   */
  public void onChange(Consumer<PoolRegistry.Changes> listener) {
    listeners.add(listener);
  }

  /**
   * Reads what changed; a registry that cannot be read is logged, and time passes. It may take as
   * long as the database does, so call it from a thread of its own, with the pause between two
   * calls.
   *
   * @return whether it could be read
   */
  public synchronized boolean poll() {
    Known old = known;
    // What is read is as old as the question.
    long asked = nanos.getAsLong();
    PoolRegistry.Changes changes;
    try {
      changes = registry.changesSince(old == null ? 0 : old.version);
    } catch (SecurityRefusal e) {
      LOG.warn(
          "the revocations cannot be read{}",
          check("", "") == UNKNOWN ? ", so everybody is refused" : "",
          e);
      return false;
    }
    boolean same = old != null && changes.version() == old.version;
    Map<String, Revocation> all = same ? old.bySubject : merged(old, changes);
    known = new Known(changes.version(), all, same ? old.nodes : nodesOf(all), asked);
    if (!same) {
      untold.addAll(changes.revocations());
      told = false;
    }
    tell();
    return true;
  }

  // A listener that failed hears of it again with the next poll.
  @GuardedBy("this")
  private void tell() {
    if (told) {
      return;
    }
    PoolRegistry.Changes all = new PoolRegistry.Changes(known.version, untold);
    boolean failed = false;
    for (Consumer<PoolRegistry.Changes> listener : listeners) {
      try {
        listener.accept(all);
      } catch (RuntimeException e) {
        LOG.error("a change of what is trusted was not carried out; it is tried again", e);
        failed = true;
      }
    }
    if (!failed) {
      untold.clear();
      told = true;
    }
  }

  /** The version that is known; 0 if none is. */
  public long version() {
    Known now = known;
    return now == null ? 0 : now.version;
  }

  public Verdict check(Trust.Member member) {
    return check(member.serial(), member.identity().uri());
  }

  /**
   * Whether the holder of a certificate may act now.
   *
   * @param serial of the certificate ({@link Certificates#serial})
   * @param identityUri of its holder
   */
  public Verdict check(String serial, String identityUri) {
    Known now = known;
    if (now == null || nanos.getAsLong() - now.readNanos >= PATIENCE.toNanos()) {
      return UNKNOWN;
    }
    Revocation by = now.bySubject.get(identityUri);
    if (by == null) {
      by = now.bySubject.get(serial);
    }
    return by == null ? ALLOWED : new Verdict.Revoked(by);
  }

  /**
   * As {@link #check(Trust.Member)}, in a sentence.
   *
   * @throws SecurityRefusal unless the member is allowed
   */
  public void require(Trust.Member member) {
    Verdict verdict = check(member);
    if (verdict instanceof Verdict.Revoked revoked) {
      throw new SecurityRefusal(
          Code.REVOKED,
          member.identity()
              + " was revoked at "
              + revoked.by().at()
              + ": "
              + revoked.by().reason());
    } else if (verdict == UNKNOWN) {
      throw new SecurityRefusal(
          Code.STORAGE,
          "the node could not read for "
              + PATIENCE.toSeconds()
              + " s who was revoked, so it lets nobody in; look at its database");
    }
  }

  /** The identities of the nodes that were revoked, as URIs, the newest revocation first. */
  public List<String> revokedNodes() {
    Known now = known;
    return now == null ? List.of() : now.nodes;
  }

  private static List<String> nodesOf(Map<String, Revocation> all) {
    return all.values().stream()
        .filter(
            each ->
                PoolIdentity.parse(each.subject())
                    .filter(identity -> identity.role() == PoolRole.NODE)
                    .isPresent())
        .sorted(Comparator.comparing(Revocation::at).reversed())
        .map(Revocation::subject)
        .toList();
  }

  private static Map<String, Revocation> merged(Known old, PoolRegistry.Changes changes) {
    Map<String, Revocation> bySubject = new HashMap<>(old == null ? Map.of() : old.bySubject);
    changes.revocations().forEach(each -> bySubject.put(each.subject(), each));
    return bySubject;
  }
}
