package io.gleaner.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.audit.Actor;
import io.gleaner.authority.P256;
import io.gleaner.authority.PoolRole;
import io.gleaner.authority.Revocations;
import io.gleaner.authority.SigningRequest;
import io.gleaner.authority.TestPool;
import io.gleaner.identity.ProviderUsers;
import io.gleaner.identity.ProviderUsers.Identity;
import io.gleaner.identity.Role;
import io.gleaner.identity.User;
import io.gleaner.identity.Users;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Users of an OpenID provider are known by issuer and subject, and take nobody's name. */
@Timeout(60)
@Tag("S10")
class ProviderUsersTest {
  private static final Secret PASSWORD = Secret.of("correct horse battery");
  private static final String ISSUER = "https://login.example.com";
  private static final String FROM = "192.0.2.7";

  private static TestPool pool;
  private static Users users;
  private static ProviderUsers people;
  private static JoinTokens tokens;

  @BeforeAll
  static void aPool() throws Exception {
    pool = TestPool.fresh();
    users = new Users(pool.around.database(), pool.around);
    tokens = new JoinTokens(pool.around.database(), pool.around);
    people = users.ofProvider(Members::haveName);
  }

  private static String comes(String subject, String called) {
    return people
        .signIn(new Identity(ISSUER, subject), called, Set.of(Role.SUBMITTER), FROM)
        .name();
  }

  private static void isSomebodyElses(String name) {
    assertThatThrownBy(() -> comes("stranger", name))
        .isInstanceOfSatisfying(
            SecurityRefusal.class, e -> assertThat(e.code()).isEqualTo(Code.USER_EXISTS))
        .hasMessageContaining("the name " + name + " belongs to somebody else here");
  }

  @Test
  void issuerAndSubjectSayWhoItIsAndNothingElseDoes() {
    assertThat(comes("1", "nina")).isEqualTo("nina");
    assertThat(comes("1", "olga")).isEqualTo("nina");
    assertThat(comes("1", "")).as("without a name").isEqualTo("nina");
    isSomebodyElses("nina");
    assertThatThrownBy(
            () ->
                people.signIn(
                    new Identity("https://other.example.com", "1"),
                    "nina",
                    Set.of(Role.SUBMITTER),
                    FROM))
        .hasMessageContaining("belongs to somebody else");
    assertThat(comes("A", "noah")).isNotEqualTo(comes("a", "nora"));
    assertThat(users.find("nina").orElseThrow().roles()).containsExactly(Role.SUBMITTER);
    assertThat(users.signIn("nina", PASSWORD)).as("no password").isEmpty();
    assertThatThrownBy(() -> new Identity(ISSUER, "a\u0000b")).hasMessageContaining("names nobody");
  }

  @Test
  void namesOfUsersOfOwnersOfMachinesAndOfMachinesAreTaken() throws SQLException {
    users.create("olga", Role.OPERATOR, PASSWORD);
    joins("mona_1", "monas-desk");
    invites("ivan", "ivans-desk");
    for (String name : List.of("olga", "mona_1", "monas-desk", "ivan", "ivans-desk")) {
      isSomebodyElses(name);
      isSomebodyElses(name.toUpperCase(Locale.ROOT));
    }
    assertThat(comes("m1", "monaX1")).as("no pattern").isEqualTo("monaX1");
    assertThat(comes("m2", "mona")).isEqualTo("mona");
    for (String none : List.of("", "-", "(node)", "two words", "x".repeat(65), "../etc")) {
      assertThatThrownBy(() -> comes("stranger", none))
          .isInstanceOf(SecurityRefusal.class)
          .hasMessageContaining("nothing that can be a name");
    }
    assertThat(users.list())
        .extracting(User::name)
        .contains("olga", "mona", "monaX1")
        .doesNotContain("ivan", "mona_1");
  }

  @Test
  void whoHasNoRoleAnyMoreStaysOut() {
    comes("r1", "rosa");
    users.create("oscar", Role.OPERATOR, PASSWORD);
    users.changeRoles(Actor.NODE, "rosa", Set.of());
    assertThatThrownBy(() -> comes("r1", "rosa"))
        .isInstanceOf(SecurityRefusal.class)
        .hasMessageContaining("rosa has no role here any more");
    assertThat(users.find("rosa").orElseThrow().roles()).isEmpty();
  }

  @Test
  void anOperatorMayGiveSomebodyAPasswordWhoNeverHadOne() {
    comes("p1", "petra");
    assertThat(users.isPassword("petra", Secret.of("x"), FROM)).isFalse();
    users.changePassword(Actor.NODE, "petra", PASSWORD);
    assertThat(users.signIn("petra", PASSWORD)).isPresent();
    assertThat(comes("p1", "petra")).isEqualTo("petra");
  }

  @Test
  void failuresOfAnAddressCountWithThoseOfPasswords() {
    String from = "192.0.2.8";
    for (int i = 0; i < 50; i++) {
      people.begin(from);
    }
    people.excused(from);
    assertThat(users.isPassword("nobody", PASSWORD, from)).isFalse();
    assertThatThrownBy(() -> people.begin(from))
        .isInstanceOfSatisfying(
            SecurityRefusal.class, e -> assertThat(e.code()).isEqualTo(Code.THROTTLED));
    assertThatThrownBy(() -> users.signIn("nobody", PASSWORD, from))
        .hasMessageContaining("too many failed tries from this address");
    people.begin("192.0.2.9");
  }

  @Test
  void whoComesTwiceAtOnceIsOneUserAndANameIsGivenOnce() throws Exception {
    AtomicInteger refused = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        String other = "other-" + i;
        all.add(threads.submit(() -> comes("same", "sam")));
        all.add(
            threads.submit(
                () -> {
                  try {
                    comes(other, "wanted");
                  } catch (SecurityRefusal e) {
                    refused.incrementAndGet();
                  }
                }));
      }
      for (Future<?> each : all) {
        each.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(refused).hasValue(7);
    assertThat(users.list()).extracting(User::name).containsOnlyOnce("sam", "wanted");
  }

  @Test
  void theLogTellsOfNewUsersAndWhoCame() {
    comes("l1", "lena");
    people.refused(FROM, "for a reason");
    assertThat(pool.around.log().newest(Long.MAX_VALUE, 10).toString())
        .contains(
            "USER_ADDED", "subject=l1", "SIGN_IN", "issuer=" + ISSUER, "openid: for a reason");
  }

  private static JoinToken invites(String owner, String name) {
    Revocations revocations = new Revocations(pool.registry, System::nanoTime);
    Members members = new Members(pool.authority, pool.registry, tokens, revocations, pool.around);
    return members
        .invite(new Invitation(PoolRole.DEVICE, owner, Optional.of(name), Duration.ofHours(1)))
        .token();
  }

  private static void joins(String owner, String name) throws SQLException {
    new Enrolment(pool.authority, tokens)
        .join(invites(owner, name).secret(), SigningRequest.encode(P256.generate()));
    pool.around.execute("delete from join_token");
  }
}
