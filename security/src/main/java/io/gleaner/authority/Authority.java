package io.gleaner.authority;

import io.gleaner.audit.Actor;
import io.gleaner.audit.SecurityEvent;
import io.gleaner.authority.CertificateForms.Validity;
import io.gleaner.authority.PoolRegistry.Entry;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pool's certificate authority as one of its nodes has it: issues certificates, renews them,
 * and hands its office over to a successor ({@link #rotate}). Nodes on one database are one
 * authority. Everything that it refuses is a {@link SecurityRefusal}. Safe for all threads; methods
 * but {@link #trust} and {@link #fingerprint} read or write the database.
 */
public final class Authority {
  private static final Logger LOG = LoggerFactory.getLogger(Authority.class);

  /** Who issues, with which key, and whom that makes trusted. */
  private record Standing(Entry issuing, KeyPair keys, Trust trust) {}

  private final AuthoritySettings settings;
  private final PoolRegistry registry;
  private final Keyring keys;
  private final InstantSource clock;
  private volatile Standing standing;

  private Authority(
      AuthoritySettings settings, PoolRegistry registry, Keyring keys, InstantSource clock) {
    this.settings = settings;
    this.registry = registry;
    this.keys = keys;
    this.clock = clock;
  }

  /**
   * Opens the pool's authority, and founds it if the registry has none.
   *
   * @throws SecurityRefusal if its encrypted key is not here, or the passphrase is not its own
   */
  public static Authority open(
      AuthoritySettings settings,
      PoolRegistry registry,
      AuthorityKeys keys,
      Secret passphrase,
      InstantSource clock) {
    return open(settings, registry, keys, passphrase, clock, SealedKey.STRONG);
  }

  /** As above, for tests that found many authorities. */
  static Authority open(
      AuthoritySettings settings,
      PoolRegistry registry,
      AuthorityKeys keys,
      Secret passphrase,
      InstantSource clock,
      SealedKey sealing) {
    Keyring ring = new Keyring(keys, passphrase, sealing);
    Authority authority = new Authority(settings, registry, ring, clock);
    if (registry.authorities().isEmpty()) {
      authority.found();
    }
    authority.refresh();
    return authority;
  }

  /** Of the authority that issues. */
  public Fingerprint fingerprint() {
    return standing.issuing.fingerprint();
  }

  /** Whom nodes trust now. */
  public Trust trust() {
    return standing.trust;
  }

  public AuthoritySettings settings() {
    return settings;
  }

  /** Reads again who issues and who is trusted; for when the registry's version has risen. */
  public synchronized void refresh() {
    List<Entry> entries = registry.authorities();
    if (entries.isEmpty() || !entries.get(0).issuing()) {
      throw new SecurityRefusal(
          Code.STORAGE, "the database names no authority that issues; restore it from a backup");
    }
    Entry issuing = entries.get(0);
    KeyPair pair = keys.of(issuing);
    List<X509Certificate> own = new ArrayList<>();
    List<X509Certificate> crossed = new ArrayList<>();
    for (Entry entry : entries) {
      own.add(entry.own());
      crossed.addAll(entry.certificates().subList(1, entry.certificates().size()));
    }
    requirePool(issuing.own());
    standing = new Standing(issuing, pair, new Trust(settings.pool(), own, crossed));
  }

  /**
   * Issues a node's certificate.
   *
   * @param names the DNS names and addresses at which it serves
   */
  public IssuedCertificate issueNode(String id, Collection<String> names, PublicKey key) {
    return issue(PoolIdentity.node(settings.pool(), id), names, key, Optional.empty());
  }

  /**
   * Issues a certificate for anybody but a node; who asks again with the same key gets the one that
   * there is, unless it is time to renew it.
   *
   * @param identity as the pool knows it, never as the request claims
   * @throws SecurityRefusal if the identity was revoked, or its name is another member's
   */
  public IssuedCertificate issue(PoolIdentity identity, SigningRequest request) {
    return issue(identity, request, Optional.empty());
  }

  /**
   * As above, for somebody who joins: a new certificate is a line of the security log, in the same
   * transaction.
   */
  public IssuedCertificate issue(
      PoolIdentity identity, SigningRequest request, SecurityEvent joined) {
    return issue(identity, request, Optional.of(joined));
  }

  private IssuedCertificate issue(
      PoolIdentity identity, SigningRequest request, Optional<SecurityEvent> why) {
    if (identity.role() == PoolRole.NODE || !identity.pool().equals(settings.pool())) {
      throw new SecurityRefusal(
          Code.INVALID, identity + " does not get a certificate by a request");
    }
    Optional<IssuedCertificate> there =
        registry
            .latest(identity, Fingerprint.of(request.key()))
            .filter(issued -> issued.issuer().equals(fingerprint()))
            .filter(issued -> clock.instant().isBefore(renewableFrom(issued.certificate())));
    if (there.isPresent()) {
      requireUnrevoked(there.get().serial(), identity);
      return there.get();
    }
    return issue(identity, List.of(), request.key(), why);
  }

  /**
   * Renews a certificate on a connection that it authenticated: from the last third of its life on,
   * or at once when its authority has handed its office over. Who asks again with the same key,
   * because the answer was lost, gets the same.
   *
   * @param current the certificate that the connection showed
   * @param request of the same or a new key
   * @throws SecurityRefusal if it is too early, or the certificate is not valid or was revoked
   */
  public IssuedCertificate renew(X509Certificate current, SigningRequest request) {
    Instant now = clock.instant();
    Trust.Member member = standing.trust.check(List.of(current), now);
    requireUnrevoked(member.serial(), member.identity());
    Instant from = renewableFrom(current);
    if (member.issuer().equals(fingerprint()) && now.isBefore(from)) {
      throw new SecurityRefusal(
          Code.NOT_RENEWABLE,
          "the certificate of " + member.identity() + " may be renewed from " + from + " on");
    }
    if (member.identity().role() == PoolRole.NODE) {
      throw new SecurityRefusal(Code.INVALID, "a node issues its certificates itself");
    }
    return issue(member.identity(), request);
  }

  /** When the last third of a certificate's life begins. */
  public static Instant renewableFrom(X509Certificate certificate) {
    Instant ends = certificate.getNotAfter().toInstant();
    Duration life = Duration.between(certificate.getNotBefore().toInstant(), ends);
    return ends.minus(life.dividedBy(3));
  }

  /**
   * Ends a member with all its certificates, on every node that polls.
   *
   * @return the version of the registry from which on it counts
   */
  public long revoke(PoolIdentity identity, String reason, Actor by) {
    return revoke(Revocation.Kind.IDENTITY, identity.uri(), reason, by);
  }

  /** As above, by the node itself. */
  public long revoke(PoolIdentity identity, String reason) {
    return revoke(identity, reason, Actor.NODE);
  }

  /** Ends one certificate; its holder may get another one. */
  public long revoke(X509Certificate certificate, String reason) {
    return revoke(Revocation.Kind.SERIAL, Certificates.serial(certificate), reason, Actor.NODE);
  }

  /**
   * Makes a new authority that issues from now on. The old one stays trusted until it is retired,
   * and says of the new one that it may be trusted, so who knows the old one only believes both.
   *
   * @return the new authority's fingerprint
   */
  public synchronized Fingerprint rotate(Actor by) {
    refresh();
    Standing old = standing;
    Instant now = clock.instant();
    KeyPair pair = P256.generate();
    X509Certificate own =
        CertificateForms.authority(settings.pool(), pair, validity(settings.authorityLife(), now));
    Instant ends = min(own.getNotAfter().toInstant(), old.issuing.own().getNotAfter().toInstant());
    X509Certificate crossed =
        CertificateForms.authority(
            settings.pool(),
            pair.getPublic(),
            old.keys,
            new Validity(own.getNotBefore().toInstant(), ends));
    Entry next = new Entry(List.of(own, crossed), true);
    keys.write(next.fingerprint(), pair);
    if (!registry.rotate(old.issuing.fingerprint(), next, now, by)) {
      keys.remove(next.fingerprint());
      refresh();
      throw new SecurityRefusal(
          Code.INVALID, "another node has just made a new authority: " + fingerprint());
    }
    keys.keep(next.fingerprint(), pair);
    refresh();
    LOG.info("authority {} issues in place of {}", fingerprint(), old.issuing.fingerprint());
    return fingerprint();
  }

  /** As above, by the node itself. */
  public Fingerprint rotate() {
    return rotate(Actor.NODE);
  }

  /**
   * Trusts an old authority no more.
   *
   * @param force even if certificates of it are still valid; their holders must join again
   * @throws SecurityRefusal if it issues, is not trusted, or has valid certificates
   */
  public synchronized void retire(Fingerprint old, boolean force, Actor by) {
    refresh();
    if (old.equals(fingerprint())) {
      throw new SecurityRefusal(
          Code.INVALID,
          "authority "
              + old
              + " is the one that issues certificates, and only one that has handed this over can"
              + " be retired; rotate first ('gleaner authority rotate')");
    }
    if (standing.trust.authorities().stream().map(Fingerprint::of).noneMatch(old::equals)) {
      throw new SecurityRefusal(
          Code.INVALID,
          "the pool trusts no authority "
              + old
              + ", so there is nothing to retire; 'gleaner authority show' lists those that it"
              + " trusts");
    }
    Instant now = clock.instant();
    Optional<Instant> last = registry.lastEnd(old, now);
    if (last.isPresent() && !force) {
      throw new SecurityRefusal(
          Code.INVALID,
          "members still have certificates of authority "
              + old
              + ", the last until "
              + last.get()
              + ", and would be shut out; wait until they have renewed them, or force it and let"
              + " them join again");
    }
    if (!registry.retire(old, force, now, by)) {
      throw new SecurityRefusal(
          Code.INVALID,
          "another node has just retired authority " + old + "; nothing is left to do");
    }
    keys.remove(old);
    refresh();
    LOG.info("authority {} is trusted no more", old);
  }

  /** As above, by the node itself. */
  public void retire(Fingerprint old, boolean force) {
    retire(old, force, Actor.NODE);
  }

  private void found() {
    Instant now = clock.instant();
    KeyPair pair = P256.generate();
    X509Certificate own =
        CertificateForms.authority(settings.pool(), pair, validity(settings.authorityLife(), now));
    Fingerprint fingerprint = Fingerprint.of(own);
    keys.write(fingerprint, pair);
    if (registry.found(own, now)) {
      keys.keep(fingerprint, pair);
      LOG.info("the pool {} has a new authority: {}", settings.pool(), fingerprint);
    } else {
      keys.remove(fingerprint);
    }
  }

  private IssuedCertificate issue(
      PoolIdentity identity, Collection<String> names, PublicKey key, Optional<SecurityEvent> why) {
    Standing by = standing;
    Instant now = clock.instant();
    Validity wanted = validity(settings.life(identity.role()), now);
    Instant last = by.issuing.own().getNotAfter().toInstant();
    if (!now.isBefore(last)) {
      throw new SecurityRefusal(
          Code.NOT_TRUSTED, "the pool's authority ended at " + last + "; rotate it");
    }
    X509Certificate certificate =
        CertificateForms.member(
            identity, names, key, by.keys, new Validity(wanted.begin(), min(wanted.end(), last)));
    IssuedCertificate issued =
        new IssuedCertificate(identity, certificate, by.issuing.fingerprint());
    requireUnrevoked(issued.serial(), identity);
    if (why.isPresent()) {
      registry.record(issued, why.get(), now);
    } else {
      registry.record(issued);
    }
    LOG.info(
        "certificate {} for {} until {}", issued.serial(), identity, certificate.getNotAfter());
    return issued;
  }

  private long revoke(Revocation.Kind kind, String subject, String reason, Actor by) {
    long version = registry.revoke(new Revocation(kind, subject, clock.instant(), reason), by);
    LOG.info("revoked {}: {}", subject, reason);
    return version;
  }

  private void requireUnrevoked(String serial, PoolIdentity identity) {
    Optional<Revocation> revocation = registry.revocationOf(serial, identity);
    if (revocation.isPresent()) {
      throw new SecurityRefusal(
          Code.REVOKED,
          identity + " was revoked at " + revocation.get().at() + ": " + revocation.get().reason());
    }
  }

  private void requirePool(X509Certificate own) {
    String expected = CertificateForms.authorityName(settings.pool()).toString();
    if (!own.getSubjectX500Principal().getName().equals(expected)) {
      throw new SecurityRefusal(
          Code.INVALID,
          "the database has the authority of another pool ("
              + own.getSubjectX500Principal().getName()
              + "), not of "
              + settings.pool());
    }
  }

  private Validity validity(Duration life, Instant now) {
    Instant second = now.truncatedTo(ChronoUnit.SECONDS);
    return new Validity(second.minus(settings.backdate()), second.plus(life));
  }

  private static Instant min(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }
}
