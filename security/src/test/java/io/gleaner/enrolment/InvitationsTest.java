package io.gleaner.enrolment;

import static io.gleaner.secrets.Refused.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.audit.Actor;
import io.gleaner.audit.Deed;
import io.gleaner.audit.SecurityEvent;
import io.gleaner.audit.SecurityLog;
import io.gleaner.authority.Fingerprint;
import io.gleaner.authority.P256;
import io.gleaner.authority.PoolIdentity;
import io.gleaner.authority.PoolRegistry.Holder;
import io.gleaner.authority.PoolRole;
import io.gleaner.authority.Revocations;
import io.gleaner.authority.SigningRequest;
import io.gleaner.authority.TestPool;
import io.gleaner.identity.Role;
import io.gleaner.identity.Users;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A name in the pool is its member's for ever, whoever invites. */
@Timeout(60)
@Tag("S3")
class InvitationsTest {
  private static final Actor ADA = new Actor("ada", "10.0.0.7");

  private TestPool pool;
  private SecurityLog log;
  private JoinTokens tokens;
  private Enrolment enrolment;
  private Members members;

  @BeforeEach
  void aPool() throws Exception {
    pool = TestPool.fresh();
    isUser("ada", Role.OWNER);
    isUser("root", Role.OPERATOR);
    log = pool.around.log();
    tokens = new JoinTokens(pool.around.database(), pool.around);
    enrolment = new Enrolment(pool.authority, tokens);
    members =
        new Members(
            pool.authority,
            pool.registry,
            tokens,
            new Revocations(pool.registry, System::nanoTime),
            pool.around);
  }

  @Test
  void aNodeIsRevokedUnlessItIsTheOnlyOne() {
    pool.node(P256.generate());
    assertRefused(Code.INVALID, "the only node", () -> members.revoke("n1", "sold"));
    pool.authority.issueNode("n2", List.of("127.0.0.1"), P256.generate().getPublic());
    assertThat(members.revoke("n1", "sold").get(0).revoked()).isPresent();
    assertRefused(Code.INVALID, "the only node", () -> members.revoke("n2", "sold"));
  }

  @Test
  void whoLostTheRoleInvitesNobodyAndWhoWasInvitedBeforeDoesNotJoin() {
    Users users = new Users(pool.around.database(), pool.around);
    Members.Invited used = members.invite(wish(PoolRole.DEVICE, "ada", "d1"), ADA);
    Members.Invited unused = members.invite(wish(PoolRole.DEVICE, "ada", "d2"), ADA);
    byte[] request = aRequest();
    enrolment.join(used.token().secret(), request);

    users.changeRoles(Actor.NODE, "ada", Set.of(Role.SUBMITTER));
    assertRefused(
        Code.INVALID,
        "ada (user, submitter) may not write member",
        () -> members.invite(wish(PoolRole.DEVICE, "ada", "d3"), ADA));
    assertRefused(
        Code.TOKEN_REFUSED,
        "ada, who made this join token, may not invite any more",
        () -> enrolment.join(unused.token().secret(), aRequest()));
    assertThat(enrolment.join(used.token().secret(), request).identity().id())
        .as("whose answer was lost")
        .isEqualTo("d1");

    users.changeRoles(Actor.NODE, "ada", Set.of(Role.OWNER));
    assertThat(joins(unused).id()).isEqualTo("d2");
  }

  @Test
  @Tag("S7")
  void aUserHasSoManyBrowsersAnHourAndInAll() throws Exception {
    String first = joinsByPage().id();
    for (int i = 1; i < Invitations.MOST_BROWSERS_AN_HOUR; i++) {
      asksForABrowser();
    }
    assertRefused(Code.INVALID, "50 browsers within an hour", this::asksForABrowser);
    assertThat(members.invite(wish(PoolRole.DEVICE, "ada", "d1"), ADA).name())
        .as("a launcher")
        .isEqualTo("d1");

    pool.passes(Duration.ofHours(1));
    pool.around.execute(
        "insert into pool_certificate select concat('s', x), concat(identity, '-', x),"
            + " key_fingerprint, authority, begins_millis, ends_millis, certificate"
            + " from pool_certificate, system_range(2, "
            + Invitations.MOST_BROWSERS
            + ")");
    assertRefused(Code.INVALID, "ada has 200 browsers in the pool", this::asksForABrowser);
    members.revoke(first, "closed");
    asksForABrowser();
    joinsByPage();
    assertRefused(Code.INVALID, "ada has 200 browsers in the pool", this::asksForABrowser);
    pool.passes(Duration.ofDays(91));
    asksForABrowser();
  }

  /** As a page does for whoever has signed in. */
  private Members.Invited asksForABrowser() {
    return members.invite(
        new Invitation(PoolRole.BROWSER, "ada", Optional.empty(), Duration.ofMinutes(1)), ADA);
  }

  private PoolIdentity joinsByPage() {
    Members.Invited invited = asksForABrowser();
    return enrolment
        .joinBrowser(invited.token().secret(), P256.generate().getPublic(), "here")
        .identity();
  }

  @Test
  void whoLostTheKeyComesBackAndNobodyElseUnderThatName() {
    PoolIdentity ada = joins(members.invite(wish(PoolRole.DEVICE, "ada", "d1")));

    refusesAgain(PoolRole.DEVICE, "eve", "d1");
    refusesAgain(PoolRole.APPLICATION, "ada", "d1");
    assertRefused(
        Code.INVALID,
        "is or was a member of the pool",
        () -> members.invite(wish(PoolRole.DEVICE, "ada", "d1")));
    assertThat(joins(again(PoolRole.DEVICE, "ada", "d1"))).isEqualTo(ada);
    assertThat(members.named("d1")).extracting(Holder::identity).containsExactly(ada);
  }

  @Test
  void aPromisedNameIsPromisedToNobodyElse() {
    JoinToken promised = members.invite(wish(PoolRole.DEVICE, "ada", "d1")).token();

    refusesAgain(PoolRole.DEVICE, "eve", "d1");
    assertRefused(
        Code.INVALID,
        "is invited already",
        () -> members.invite(wish(PoolRole.DEVICE, "eve", "d1")));
    again(PoolRole.DEVICE, "ada", "d1");
    assertThat(enrolment.join(promised.secret(), aRequest()).identity().owner()).isEqualTo("ada");

    members.invite(wish(PoolRole.DEVICE, "ada", "d2"));
    pool.passes(Duration.ofHours(1));
    assertThat(joins(members.invite(wish(PoolRole.DEVICE, "eve", "d2"))).owner()).isEqualTo("eve");
  }

  @Test
  void aRevokedNameDoesNotComeBack() {
    joins(members.invite(wish(PoolRole.DEVICE, "ada", "d1")));
    members.revoke("d1", "stolen");
    assertRefused(
        Code.INVALID,
        "never comes back under this name",
        () -> again(PoolRole.DEVICE, "ada", "d1"));
  }

  @Test
  void whatNobodyUsedIsListedAndCancelled() {
    JoinToken token = members.invite(wish(PoolRole.DEVICE, "ada", "d1")).token();
    joins(members.invite(wish(PoolRole.DEVICE, "ada", "d2")));
    Members.Open open = members.invited().get(0);
    assertThat(members.invited()).containsExactly(open).isEqualTo(members.invited("d1"));
    assertThat(open.expires()).isEqualTo(pool.around.instant().plus(Duration.ofHours(1)));

    assertThat(members.cancel(open, ADA)).isTrue();
    assertThat(members.cancel(open, ADA)).isFalse();
    assertThat(members.invited()).isEmpty();
    assertRefused(
        Code.TOKEN_REFUSED, "does not know", () -> enrolment.join(token.secret(), aRequest()));
    assertThat(joins(members.invite(wish(PoolRole.DEVICE, "eve", "d1"))).owner()).isEqualTo("eve");
  }

  @Test
  @Tag("S13")
  void whoCameHowAndWhoWentIsInTheSecurityLog() {
    Members.Invited invited = members.invite(wish(PoolRole.DEVICE, "ada", "d1"), ADA);
    byte[] request = aRequest();
    enrolment.join(invited.token().secret(), request, "10.0.0.9");
    enrolment.join(invited.token().secret(), request, "10.0.0.9");
    members.invite(wish(PoolRole.DEVICE, "ada", "d2"), ADA);
    members.revoke("d1", "stolen", ADA);
    members.revoke("d1", "stolen again", ADA);
    members.revoke("d2", "changed my mind", ADA);
    Fingerprint old = pool.authority.fingerprint();
    members.rotate(ADA);
    members.retire(old, true, ADA);

    List<SecurityEvent> events =
        log.newest(Long.MAX_VALUE, 20).stream().map(SecurityLog.Entry::event).toList();
    assertThat(events)
        .extracting(SecurityEvent::deed)
        .containsExactly(
            Deed.AUTHORITY_RETIRED,
            Deed.AUTHORITY_ROTATED,
            Deed.JOIN_TOKEN_REVOKED,
            Deed.REVOKED,
            Deed.INVITED,
            Deed.ENROLLED,
            Deed.INVITED,
            Deed.AUTHORITY_FOUNDED);
    assertThat(events.get(0).detail()).isEqualTo("forced=true");
    SecurityEvent enrolled = events.get(5);
    assertThat(enrolled.by()).isEqualTo(Actor.unknown("10.0.0.9"));
    assertThat(enrolled.subject()).isEqualTo(TestPool.device("d1").uri());
    String token = enrolled.detail().substring(0, "token=123456789012".length());
    assertThat(events.get(6).detail()).endsWith(token);
    assertThat(events.toString()).doesNotContain(invited.token().secret().reveal());
  }

  @Test
  @Tag("S13")
  void whatCannotBeLoggedIsNotDone() throws Exception {
    joins(members.invite(wish(PoolRole.DEVICE, "ada", "d1")));
    JoinToken unused = members.invite(wish(PoolRole.DEVICE, "ada", "d2")).token();
    Fingerprint authority = pool.authority.fingerprint();
    pool.around.execute("delete from security_log_head");

    String why = "the security log has no head";
    assertRefused(Code.STORAGE, why, () -> members.revoke("d1", "stolen"));
    assertRefused(Code.STORAGE, why, () -> members.invite(wish(PoolRole.DEVICE, "ada", "d3")));
    assertRefused(Code.STORAGE, why, () -> members.cancel(members.invited("d2").get(0), ADA));
    assertRefused(Code.STORAGE, why, () -> enrolment.join(unused.secret(), aRequest()));
    assertRefused(Code.STORAGE, why, () -> members.rotate(ADA));
    assertThat(pool.registry.holders())
        .allSatisfy(holder -> assertThat(holder.revoked()).isEmpty())
        .hasSize(1);
    pool.authority.refresh();
    assertThat(pool.authority.fingerprint()).isEqualTo(authority);
  }

  @Test
  void nobodyHasInvitationsWithoutEnd() {
    for (int i = 0; i < 100; i++) {
      members.invite(wish(PoolRole.DEVICE, "ada", "d" + i), ADA);
    }
    assertRefused(
        Code.INVALID,
        "100 are the most",
        () -> members.invite(wish(PoolRole.DEVICE, "ada", "x"), ADA));
    JoinToken ofStart = members.invite(wish(PoolRole.DEVICE, "ada", "own")).token();
    assertThat(enrolment.join(ofStart.secret(), aRequest()).identity().id()).isEqualTo("own");
    assertThat(joins(members.invite(wish(PoolRole.DEVICE, "eve", "e1"))).owner()).isEqualTo("eve");
    pool.passes(Duration.ofDays(32));
    members.invite(wish(PoolRole.DEVICE, "ada", "x"), ADA);
    assertThat(tokens.sweep()).as("what ended long ago is gone").isZero();
  }

  @Test
  void nobodyIsInvitedToBeWhatMayDoNothing() {
    assertRefused(
        Code.INVALID,
        "nothing is allowed to a user's machine",
        () -> members.invite(wish(PoolRole.MACHINE, "ada", "d1")));
  }

  @Test
  void theAuthorityGivesAHeldNameToNobodyElse() throws Exception {
    joins(members.invite(wish(PoolRole.DEVICE, "ada", "d1")));
    for (Invitation stale :
        new Invitation[] {
          wish(PoolRole.DEVICE, "eve", "d1"), wish(PoolRole.APPLICATION, "ada", "d1")
        }) {
      JoinToken token = JoinToken.random(pool.authority.fingerprint());
      try (Connection connection = pool.around.database().getConnection()) {
        tokens.keep(connection, stale, token.secret(), Optional.empty());
      }
      assertRefused(
          Code.INVALID,
          "the name 'd1' is another member's",
          () -> enrolment.join(token.secret(), aRequest()));
    }
    assertThat(members.named("d1")).hasSize(1);
  }

  @Test
  void ofTwoThatHadANameBeforeItIsTheFirstOnes() throws Exception {
    joins(members.invite(wish(PoolRole.DEVICE, "eve", "d1")));
    pool.passes(Duration.ofMinutes(1));
    pool.around.execute("delete from pool_name");
    joins(members.invite(wish(PoolRole.DEVICE, "ada", "d2")));
    pool.around.execute("update pool_certificate set identity = replace(identity, '/d2', '/d1')");
    pool.around.execute("drop table pool_name");
    pool.around.execute("runscript from 'classpath:db/migration/V23__member_names.sql'");

    refusesAgain(PoolRole.DEVICE, "ada", "d1");
    assertThat(joins(again(PoolRole.DEVICE, "eve", "d1")).owner()).isEqualTo("eve");
  }

  private void isUser(String name, Role role) throws SQLException {
    pool.around.execute(
        "insert into identity_user (name, password_hash, created_millis) values ('"
            + name
            + "', '', 0)");
    pool.around.execute(
        "insert into identity_user_role values ('" + name + "', '" + role.name() + "')");
  }

  private void refusesAgain(PoolRole role, String owner, String name) {
    assertRefused(Code.INVALID, "a name never changes hands", () -> again(role, owner, name));
  }

  private Members.Invited again(PoolRole role, String owner, String name) {
    return members.inviteAgain(wish(role, owner, name), name);
  }

  private PoolIdentity joins(Members.Invited invited) {
    return enrolment.join(invited.token().secret(), aRequest()).identity();
  }

  private static byte[] aRequest() {
    return SigningRequest.encode(P256.generate());
  }

  private static Invitation wish(PoolRole role, String owner, String name) {
    return new Invitation(role, owner, Optional.of(name), Duration.ofHours(1));
  }
}
