package io.gleaner.enrolment;

import static io.gleaner.secrets.Refused.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.authority.P256;
import io.gleaner.authority.PoolIdentity;
import io.gleaner.authority.PoolRegistry.Holder;
import io.gleaner.authority.PoolRole;
import io.gleaner.authority.Revocations;
import io.gleaner.authority.SigningRequest;
import io.gleaner.authority.TestPool;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A name in the pool is its member's for ever, whoever invites. */
@Timeout(60)
@Tag("S3")
class InvitationsTest {
  private TestPool pool;
  private JoinTokens tokens;
  private Enrolment enrolment;
  private Members members;

  @BeforeEach
  void aPool() throws Exception {
    pool = TestPool.fresh();
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
  void theAuthorityGivesAHeldNameToNobodyElse() throws Exception {
    joins(members.invite(wish(PoolRole.DEVICE, "ada", "d1")));
    for (Invitation stale :
        new Invitation[] {
          wish(PoolRole.DEVICE, "eve", "d1"), wish(PoolRole.APPLICATION, "ada", "d1")
        }) {
      JoinToken token = JoinToken.random(pool.authority.fingerprint());
      try (Connection connection = pool.around.database().getConnection()) {
        tokens.keep(connection, stale, token.secret());
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
    database("delete from pool_name");
    joins(members.invite(wish(PoolRole.DEVICE, "ada", "d2")));
    database("update pool_certificate set identity = replace(identity, '/d2', '/d1')");
    database("drop table pool_name");
    database("runscript from 'classpath:db/migration/V23__member_names.sql'");

    refusesAgain(PoolRole.DEVICE, "ada", "d1");
    assertThat(joins(again(PoolRole.DEVICE, "eve", "d1")).owner()).isEqualTo("eve");
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

  private void database(String statement) throws Exception {
    try (Connection connection = pool.around.database().getConnection();
        Statement each = connection.createStatement()) {
      each.execute(statement);
    }
  }
}
