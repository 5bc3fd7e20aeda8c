package io.gleaner.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.audit.Actor;
import io.gleaner.authority.Authority;
import io.gleaner.authority.AuthoritySettings;
import io.gleaner.authority.Fingerprint;
import io.gleaner.authority.IssuedCertificate;
import io.gleaner.authority.P256;
import io.gleaner.authority.PoolIdentity;
import io.gleaner.authority.PoolRegistry;
import io.gleaner.authority.PoolRole;
import io.gleaner.authority.Revocation;
import io.gleaner.authority.Revocations;
import io.gleaner.authority.SigningRequest;
import io.gleaner.authority.SqlAuthorityKeys;
import io.gleaner.authority.SqlPoolRegistry;
import io.gleaner.enrolment.Invitation;
import io.gleaner.enrolment.JoinTokens;
import io.gleaner.enrolment.Members;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The pool's authority on both kinds of database, as several nodes have it. */
@Timeout(120)
class SharedAuthorityTest {
  private static final Secret PASSPHRASE = Secret.of("passphrase of a test");
  private static final PoolIdentity DEVICE = new PoolIdentity("home", PoolRole.DEVICE, "ada", "d1");

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void nodesThatStartTogetherHaveOneAuthority(TestStore store) throws Exception {
    try (Database database = TestStore.open(store.in(folder), Schema.NODE)) {
      List<Fingerprint> found = together(2, node -> open(database, PASSPHRASE).fingerprint());
      assertThat(found).hasSize(2).containsOnly(found.get(0));
      assertThat(new SqlPoolRegistry(database.dataSource()).authorities()).hasSize(1);
      assertThatThrownBy(() -> open(database, Secret.of("another passphrase")))
          .hasMessageContaining("cannot be opened with this passphrase");
    }
  }

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void whatOneNodeDoesTheOthersSee(TestStore store) throws Exception {
    try (Database database = TestStore.open(store.in(folder), Schema.NODE)) {
      Authority one = open(database, PASSPHRASE);
      Authority two = open(database, PASSPHRASE);
      PoolRegistry registry = new SqlPoolRegistry(database.dataSource());
      KeyPair keys = P256.generate();
      SigningRequest request = new SigningRequest(keys.getPublic());

      IssuedCertificate issued = one.issue(DEVICE, request);
      assertThat(two.issue(DEVICE, request)).isEqualTo(issued);

      long before = registry.changesSince(0).version();
      Fingerprint first = one.fingerprint();
      one.rotate();
      assertThat(registry.changesSince(before).version()).isGreaterThan(before);
      two.refresh();
      assertThat(two.fingerprint()).isEqualTo(one.fingerprint()).isNotEqualTo(first);
      assertThat(two.trust()).isEqualTo(one.trust());
      assertThatThrownBy(() -> one.retire(first, false)).hasMessageContaining("still have");

      one.revoke(DEVICE, "stolen");
      assertThatThrownBy(() -> two.issue(DEVICE, request)).hasMessageContaining("stolen");
      two.retire(first, false);
      assertThat(registry.authorities()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(TestStore.class)
  @Tag("S2")
  void whoPollsMissesNoRevocationOfNodesThatRevokeAtOnce(TestStore store) throws Exception {
    int nodes = 4;
    int each = 25;
    try (Database database = TestStore.open(store.in(folder), Schema.NODE)) {
      PoolRegistry registry = new SqlPoolRegistry(database.dataSource());
      ExecutorService threads = Executors.newCachedThreadPool();
      Future<List<List<Long>>> revoking =
          threads.submit(
              () ->
                  together(
                      nodes,
                      node -> {
                        List<Long> versions = new ArrayList<>();
                        for (int i = 0; i < each; i++) {
                          versions.add(
                              registry.revoke(
                                  new Revocation(
                                      Revocation.Kind.SERIAL,
                                      node + "f" + i,
                                      InstantSource.system().instant(),
                                      "test"),
                                  Actor.NODE));
                        }
                        return versions;
                      }));
      threads.shutdown();
      List<String> seen = new ArrayList<>();
      long version = 0;
      boolean last;
      do {
        last = revoking.isDone();
        PoolRegistry.Changes changes = registry.changesSince(version);
        assertThat(changes.version()).isGreaterThanOrEqualTo(version);
        version = changes.version();
        changes.revocations().forEach(revocation -> seen.add(revocation.subject()));
      } while (!last);

      assertThat(seen).hasSize(nodes * each).doesNotHaveDuplicates();
      assertThat(revoking.get().stream().flatMap(List::stream)).doesNotHaveDuplicates();
    }
  }

  @ParameterizedTest
  @EnumSource(TestStore.class)
  @Tag("S3")
  void aNameHasOneHolderWhoeverAsksAtOnce(TestStore store) throws Exception {
    int nodes = 4;
    try (Database database = TestStore.open(store.in(folder), Schema.NODE)) {
      PoolRegistry registry = new SqlPoolRegistry(database.dataSource());
      Authority authority = open(database, PASSPHRASE);
      SigningRequest request = new SigningRequest(P256.generate().getPublic());
      List<Boolean> issued =
          together(
              nodes,
              node ->
                  wins(
                      () ->
                          authority.issue(
                              new PoolIdentity("home", PoolRole.DEVICE, "user" + node, "d1"),
                              request)));
      assertThat(issued).containsOnlyOnce(true);
      assertThat(registry.holders("d1")).hasSize(1);

      Members members =
          new Members(
              authority,
              registry,
              new JoinTokens(database.dataSource(), InstantSource.system()),
              new Revocations(registry, System::nanoTime),
              InstantSource.system());
      List<Boolean> invited =
          together(
              nodes,
              node ->
                  wins(
                      () ->
                          members.inviteAgain(
                              new Invitation(
                                  PoolRole.DEVICE,
                                  "user" + node,
                                  Optional.of("d2"),
                                  Duration.ofHours(1)),
                              "d2")));
      assertThat(invited).containsOnlyOnce(true);
    }
  }

  private static boolean wins(Callable<Object> attempt) throws Exception {
    try {
      return attempt.call() != null;
    } catch (SecurityRefusal refusal) {
      assertThat(refusal.code()).isEqualTo(SecurityRefusal.Code.INVALID);
      return false;
    }
  }

  private static Authority open(Database database, Secret passphrase) {
    return Authority.open(
        AuthoritySettings.of("home"),
        new SqlPoolRegistry(database.dataSource()),
        new SqlAuthorityKeys(database.dataSource()),
        passphrase,
        InstantSource.system());
  }

  private interface Doing<T> {
    T by(int node) throws Exception;
  }

  private static <T> List<T> together(int nodes, Doing<T> doing) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(nodes);
    try {
      List<Callable<T>> all = new ArrayList<>();
      for (int i = 0; i < nodes; i++) {
        int node = i;
        all.add(() -> doing.by(node));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> each : threads.invokeAll(all)) {
        results.add(each.get());
      }
      return results;
    } finally {
      threads.shutdown();
    }
  }
}
