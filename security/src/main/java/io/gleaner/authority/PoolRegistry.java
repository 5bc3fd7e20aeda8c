package io.gleaner.authority;

import io.gleaner.audit.Actor;
import io.gleaner.audit.SecurityEvent;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What all nodes of a pool must agree on: its authorities, the certificates that were issued, and
 * the revocations. Every change of what is trusted raises one version, in the order in which the
 * changes can be seen, and is a line of the security log in the same transaction. Methods throw
 * {@link io.gleaner.secrets.SecurityRefusal} with code STORAGE when it cannot be read or written;
 * safe for all threads.
 */
public interface PoolRegistry {
  /**
   * An authority that is trusted.
   *
   * @param certificates its own one, then those that its predecessors gave it
   * @param issuing whether new certificates come from it; exactly one does
   */
  record Entry(List<X509Certificate> certificates, boolean issuing) {
    public Entry {
      certificates = List.copyOf(certificates);
    }

    X509Certificate own() {
      return certificates.get(0);
    }

    Fingerprint fingerprint() {
      return Fingerprint.of(own());
    }
  }

  /** What changed: the version now, and the revocations since the one that was asked about. */
  record Changes(long version, List<Revocation> revocations) {
    public Changes {
      revocations = List.copyOf(revocations);
    }
  }

  /** The trusted authorities, the issuing one first, then the latest first. */
  List<Entry> authorities();

  /** Adds the pool's first authority; false if there is one already. */
  boolean found(X509Certificate own, Instant now);

  /**
   * Adds an authority that issues from now on in place of the given one; false if that one does not
   * issue any more.
   */
  boolean rotate(Fingerprint old, Entry next, Instant now, Actor by);

  /**
   * Trusts an authority no more; false if it is not trusted or issues.
   *
   * @param forced whether it was asked for whatever certificates of it are valid, for the log
   */
  boolean retire(Fingerprint authority, boolean forced, Instant now, Actor by);

  /** Until when certificates of an authority are valid that nobody revoked; empty if none is. */
  Optional<Instant> lastEnd(Fingerprint authority, Instant now);

  /**
   * Keeps a certificate. Its holder has its name from the first one on.
   *
   * @throws io.gleaner.secrets.SecurityRefusal INVALID if the name is another member's
   */
  void record(IssuedCertificate issued);

  /** As above, with a line of the security log in the same transaction. */
  void record(IssuedCertificate issued, SecurityEvent why, Instant now);

  /**
   * Somebody with certificates.
   *
   * @param since when the first of its certificates begins
   * @param ends when the last of them ends
   * @param revoked what ended it with all of them; empty if nothing did
   */
  record Holder(PoolIdentity identity, Instant since, Instant ends, Optional<Revocation> revoked) {}

  /** Everybody who has or had a certificate, by name. */
  List<Holder> holders();

  /** Whoever has or had a certificate under this name, in any role. */
  List<Holder> holders(String name);

  /** The certificate of this identity and key that ends last, revoked or not. */
  Optional<IssuedCertificate> latest(PoolIdentity identity, Fingerprint key);

  /** The certificate with this serial number, revoked, ended or not. */
  Optional<IssuedCertificate> certificate(String serial);

  /** An authority's own certificate, retired or not. */
  Optional<X509Certificate> authority(Fingerprint fingerprint);

  /** Adds a revocation, unless there is one of the same subject; returns the version then. */
  long revoke(Revocation revocation, Actor by);

  /** What ends the certificate or its holder, or empty; reads the registry itself. */
  Optional<Revocation> revocationOf(String serial, PoolIdentity identity);

  /** What changed after a version; 0 is before everything. */
  Changes changesSince(long version);
}
