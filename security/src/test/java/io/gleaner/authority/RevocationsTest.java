package io.gleaner.authority;

import static io.gleaner.secrets.Refused.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.authority.Revocations.Verdict;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("S2")
class RevocationsTest {
  private final AtomicLong nanos = new AtomicLong(-17);
  private TestPool pool;
  private boolean away;
  private Revocations revocations;
  private Trust.Member device;

  @BeforeEach
  void aNodeAndADevice() throws Exception {
    pool = TestPool.fresh();
    revocations = new Revocations(sometimesAway(pool.registry), nanos::get);
    device =
        pool.authority
            .trust()
            .check(
                List.of(pool.device("d1", P256.generate()).certificate()), pool.around.instant());
  }

  @Test
  void nobodyIsAllowedBeforeTheFirstReading() {
    assertThat(revocations.check(device)).isEqualTo(new Verdict.Unknown());
    revocations.poll();
    assertThat(revocations.check(device)).isEqualTo(new Verdict.Allowed());
  }

  @Test
  void aRevocationCountsFromTheNextPollOn() {
    revocations.poll();
    pool.authority.revoke(TestPool.device("d1"), "stolen");
    assertThat(revocations.check(device)).isEqualTo(new Verdict.Allowed());

    passes(Revocations.POLL);
    assertThat(revocations.poll()).isTrue();
    assertThat(revocations.check(device))
        .isInstanceOfSatisfying(
            Verdict.Revoked.class,
            revoked -> assertThat(revoked.by().reason()).isEqualTo("stolen"));
    assertRefused(Code.REVOKED, "stolen", () -> revocations.require(device));
  }

  @Test
  void aCertificateIsRevokedAlone() {
    Trust.Member second =
        pool.authority
            .trust()
            .check(
                List.of(pool.device("d1", P256.generate()).certificate()), pool.around.instant());
    pool.authority.revoke(device.certificate(), "old key");
    revocations.poll();
    assertThat(revocations.check(device)).isInstanceOf(Verdict.Revoked.class);
    assertThat(revocations.check(second)).isEqualTo(new Verdict.Allowed());
  }

  @Test
  void everybodyIsRefusedWhenTheRegistryIsUnreadableForFortyFiveSeconds() {
    revocations.poll();
    away = true;
    passes(Duration.ofMillis(44_999));
    assertThat(revocations.poll()).isFalse();
    assertThat(revocations.check(device)).isEqualTo(new Verdict.Allowed());
    passes(Duration.ofMillis(1));
    assertThat(revocations.check(device)).isEqualTo(new Verdict.Unknown());
    assertRefused(Code.STORAGE, "could not read for 45 s", () -> revocations.require(device));

    away = false;
    revocations.poll();
    assertThat(revocations.check(device)).isEqualTo(new Verdict.Allowed());
  }

  @Test
  void versionsRiseAndEachChangeIsToldOnce() {
    List<PoolRegistry.Changes> told = new ArrayList<>();
    revocations.poll();
    revocations.onChange(told::add);
    long first = revocations.version();
    revocations.poll();
    assertThat(told).isEmpty();

    pool.authority.revoke(TestPool.device("d1"), "stolen");
    pool.authority.revoke(TestPool.device("d1"), "stolen again");
    pool.authority.revoke(TestPool.device("d2"), "sold");
    revocations.poll();
    assertThat(told).hasSize(1);
    assertThat(told.get(0).revocations())
        .extracting(Revocation::reason)
        .containsExactly("stolen", "sold");
    assertThat(revocations.version()).isGreaterThan(first);

    pool.authority.rotate();
    revocations.poll();
    assertThat(told).hasSize(2);
    assertThat(told.get(1).revocations()).isEmpty();
  }

  @Test
  void aListenerThatFailedIsToldAgain() {
    AtomicBoolean fails = new AtomicBoolean(true);
    List<String> carriedOut = new ArrayList<>();
    revocations.poll();
    revocations.onChange(
        changes -> {
          if (fails.get()) {
            throw new IllegalStateException("a connection could not be closed");
          }
          changes.revocations().forEach(each -> carriedOut.add(each.reason()));
        });
    pool.authority.revoke(TestPool.device("d1"), "stolen");

    assertThat(revocations.poll()).isTrue();
    assertThat(revocations.check(device)).isInstanceOf(Verdict.Revoked.class);
    fails.set(false);
    revocations.poll();
    revocations.poll();
    assertThat(carriedOut).containsExactly("stolen");
  }

  private void passes(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private PoolRegistry sometimesAway(PoolRegistry registry) {
    return (PoolRegistry)
        Proxy.newProxyInstance(
            PoolRegistry.class.getClassLoader(),
            new Class<?>[] {PoolRegistry.class},
            (proxy, method, arguments) -> {
              if (away) {
                throw new SecurityRefusal(Code.STORAGE, "the database is away");
              }
              try {
                return method.invoke(registry, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
