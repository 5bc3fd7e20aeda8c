package io.gleaner.enrolment;

import io.gleaner.audit.Actor;
import io.gleaner.authority.Authority;
import io.gleaner.authority.Fingerprint;
import io.gleaner.authority.IssuedCertificate;
import io.gleaner.authority.PoolRegistry;
import io.gleaner.authority.PoolRegistry.Holder;
import io.gleaner.authority.PoolRole;
import io.gleaner.authority.Revocations;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.security.cert.X509Certificate;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The members of the pool as those who run it invite, list and revoke them. Methods throw {@link
 * SecurityRefusal}, read and write the database, and are safe for all threads.
 */
public final class Members {
  private final Authority authority;
  private final PoolRegistry registry;
  private final Revocations revocations;
  private final Invitations invitations;
  private final InstantSource clock;

  public Members(
      Authority authority,
      PoolRegistry registry,
      JoinTokens tokens,
      Revocations revocations,
      InstantSource clock) {
    this.authority = authority;
    this.registry = registry;
    this.revocations = revocations;
    this.clock = clock;
    this.invitations = new Invitations(tokens, clock);
  }

  /**
   * A token to pass on, which can be seen this once.
   *
   * @param name what its holder will be called
   */
  public record Invited(JoinToken token, String name, Instant expires) {}

  /**
   * An invitation that nobody has used yet.
   *
   * @param name what its holder will be called
   * @param token what the security log calls its token
   */
  public record Open(
      String name, String role, String owner, Instant issued, Instant expires, String token) {}

  /** As below, by the node itself. */
  public Invited invite(Invitation invitation) {
    return invite(invitation, Actor.NODE);
  }

  /**
   * Invites a new member. Without a name it is called after its owner.
   *
   * @throws SecurityRefusal if the name is or was somebody's, or is promised to somebody
   */
  public Invited invite(Invitation invitation, Actor by) {
    return invitations.invite(invitation, authority.fingerprint(), by);
  }

  /** As below, by the node itself. */
  public Invited inviteAgain(Invitation invitation, String name) {
    return inviteAgain(invitation, name, Actor.NODE);
  }

  /**
   * Invites a member to bring another key, because it lost its own; if nobody has the name yet, as
   * above.
   *
   * @throws SecurityRefusal if the name is or is promised to another user or role, or was revoked
   */
  public Invited inviteAgain(Invitation invitation, String name, Actor by) {
    return invitations.again(invitation.called(name), authority.fingerprint(), by);
  }

  /** Whether a name belongs to a member, to an owner of one, or to somebody who is invited. */
  public static boolean haveName(Connection connection, String name) throws SQLException {
    return Invitations.know(connection, name);
  }

  /** The invitations that nobody has used yet, by name. */
  public List<Open> invited() {
    return invitations.open();
  }

  /** As above, of one name. */
  public List<Open> invited(String name) {
    return invitations.open().stream().filter(open -> open.name().equals(name)).toList();
  }

  /**
   * Ends an invitation: its token is void.
   *
   * @return whether it was still unused
   */
  public boolean cancel(Open invitation, Actor by) {
    return invitations.cancel(invitation, by);
  }

  /** Everybody who has or had a certificate. */
  public List<Holder> all() {
    return registry.holders();
  }

  /** Whoever has or had this name. */
  public List<Holder> named(String name) {
    return registry.holders(name);
  }

  /** As below, by the node itself. */
  public List<Holder> revoke(String name, String reason) {
    return revoke(name, reason, Actor.NODE);
  }

  /**
   * Ends whoever has this name, and what could still join under it: here at once, on every other
   * node as soon as it hears of it.
   *
   * @throws SecurityRefusal if nobody has the name, or it is the only node's
   */
  public List<Holder> revoke(String name, String reason, Actor by) {
    List<Holder> holders = registry.holders(name);
    List<Open> invited = invited(name);
    if (holders.isEmpty() && invited.isEmpty()) {
      throw new SecurityRefusal(
          Code.UNKNOWN_MEMBER,
          "no member of the pool is called '" + name + "'; 'gleaner members' lists them");
    }
    for (Holder holder : holders) {
      if (holder.identity().role() == PoolRole.NODE && !hasOtherNode(holder)) {
        throw new SecurityRefusal(
            Code.INVALID,
            name
                + " is the only node of the pool, and its members would believe nobody; start"
                + " another node first");
      }
      long unused = authority.revoke(holder.identity(), reason, by);
    }
    for (Open open : invited) {
      boolean unused = cancel(open, by);
    }
    boolean known = revocations.poll();
    return known ? registry.holders(name) : holders;
  }

  private boolean hasOtherNode(Holder node) {
    return registry.holders().stream()
        .filter(each -> each.identity().role() == PoolRole.NODE)
        .filter(each -> each.revoked().isEmpty() && clock.instant().isBefore(each.ends()))
        .anyMatch(each -> !each.identity().equals(node.identity()));
  }

  /**
   * The certificate of a browser that may act now.
   *
   * @throws SecurityRefusal if there is none, or it is not trusted, has ended or was revoked
   */
  public X509Certificate browser(String serial) {
    X509Certificate own =
        registry
            .certificate(serial)
            .filter(issued -> issued.identity().role() == PoolRole.BROWSER)
            .map(IssuedCertificate::certificate)
            .orElseThrow(
                () ->
                    new SecurityRefusal(
                        Code.UNKNOWN_MEMBER,
                        "the pool knows no browser with this certificate; enrol it"));
    revocations.require(authority.trust().check(List.of(own), clock.instant()));
    return own;
  }

  /** The certificate with this serial number, whatever became of it. */
  public Optional<IssuedCertificate> certificate(String serial) {
    return registry.certificate(serial);
  }

  /** An authority's own certificate, retired or not. */
  public Optional<X509Certificate> authority(Fingerprint fingerprint) {
    return registry.authority(fingerprint);
  }

  /** The authorities that are trusted, the one that issues first. */
  public List<Fingerprint> authorities() {
    return authority.trust().authorities().stream().map(Fingerprint::of).toList();
  }

  /** Hands the authority's office over to a new one, see {@link Authority#rotate}. */
  public Fingerprint rotate(Actor by) {
    Fingerprint next = authority.rotate(by);
    boolean unused = revocations.poll();
    return next;
  }

  /** Trusts an old authority no more, see {@link Authority#retire}. */
  public void retire(Fingerprint old, boolean force, Actor by) {
    authority.retire(old, force, by);
    boolean unused = revocations.poll();
  }
}
