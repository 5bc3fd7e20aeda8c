package io.gleaner.authority;

import io.gleaner.identity.TestIdentity;
import io.gleaner.secrets.Secret;
import java.security.KeyPair;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A pool's authority on a database in memory, with a clock that moves when told. */
public final class TestPool {
  public static final String NAME = "home";
  public static final Secret PASSPHRASE = Secret.of("passphrase of a test");

  public final TestIdentity around;
  public final PoolRegistry registry;
  public final AuthorityKeys keys = new Kept();
  public final Authority authority;

  private TestPool(TestIdentity around, AuthoritySettings settings, InstantSource clock) {
    this.around = around;
    this.registry = new SqlPoolRegistry(around.database());
    this.authority =
        Authority.open(settings, registry, keys, PASSPHRASE, clock, new SealedKey(2, 1));
  }

  public static TestPool fresh() throws java.sql.SQLException {
    return fresh(AuthoritySettings.of(NAME));
  }

  public static TestPool fresh(AuthoritySettings settings) throws java.sql.SQLException {
    TestIdentity around = TestIdentity.fresh();
    return new TestPool(around, settings, around);
  }

  /** By the clock of this machine, for programs that have no other. */
  public static TestPool today() throws java.sql.SQLException {
    return new TestPool(TestIdentity.fresh(), AuthoritySettings.of(NAME), InstantSource.system());
  }

  public void passes(Duration time) {
    around.passes(time);
  }

  public static PoolIdentity device(String id) {
    return new PoolIdentity(NAME, PoolRole.DEVICE, "ada", id);
  }

  public IssuedCertificate device(String id, KeyPair keys) {
    return authority.issue(device(id), new SigningRequest(keys.getPublic()));
  }

  public IssuedCertificate node(KeyPair keys) {
    return authority.issueNode("n1", List.of("localhost", "127.0.0.1"), keys.getPublic());
  }

  /** Encrypted keys in memory. */
  public static final class Kept implements AuthorityKeys {
    final Map<Fingerprint, byte[]> sealed = new HashMap<>();

    @Override
    public void write(Fingerprint authority, byte[] bytes) {
      sealed.put(authority, bytes);
    }

    @Override
    public Optional<byte[]> read(Fingerprint authority) {
      return Optional.ofNullable(sealed.get(authority));
    }

    @Override
    public void remove(Fingerprint authority) {
      sealed.remove(authority);
    }
  }
}
