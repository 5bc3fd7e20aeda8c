package io.gleaner.gateway;

import io.gleaner.authority.Authority;
import io.gleaner.authority.AuthoritySettings;
import io.gleaner.authority.IssuedCertificate;
import io.gleaner.authority.P256;
import io.gleaner.authority.PoolIdentity;
import io.gleaner.authority.PoolRole;
import io.gleaner.authority.Revocations;
import io.gleaner.authority.SigningRequest;
import io.gleaner.authority.SqlAuthorityKeys;
import io.gleaner.authority.SqlPoolRegistry;
import io.gleaner.enrolment.Enrolment;
import io.gleaner.enrolment.JoinTokens;
import io.gleaner.secrets.Secret;
import io.gleaner.tls.Credentials;
import io.gleaner.tls.MemberFile;
import io.gleaner.tls.NodeCredentials;
import io.gleaner.tls.PoolKeys;
import io.gleaner.tls.PoolTrust;
import io.gleaner.tls.Tls;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import org.h2.jdbcx.JdbcDataSource;

/** An authority on a database in memory, and members that have its certificates. */
public final class MemberPool {
  public final SqlPoolRegistry registry;
  public final Authority authority;
  final JoinTokens tokens;

  public MemberPool() throws Exception {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    try (var connection = database.getConnection();
        var statement = connection.createStatement()) {
      for (String script :
          List.of(
              "V1__identity",
              "V17__authority",
              "V18__enrolment",
              "V21__audit",
              "V23__member_names",
              "V27__inviters")) {
        statement.execute("runscript from 'classpath:db/migration/" + script + ".sql'");
      }
    }
    registry = new SqlPoolRegistry(database);
    tokens = new JoinTokens(database, InstantSource.system());
    authority =
        Authority.open(
            AuthoritySettings.of("home"),
            registry,
            new SqlAuthorityKeys(database),
            Secret.of("passphrase of a test"),
            InstantSource.system());
  }

  public PoolIdentity identity(PoolRole role, String owner, String id) {
    return new PoolIdentity("home", role, owner, id);
  }

  public Credentials credentials(PoolIdentity identity) {
    KeyPair keys = P256.generate();
    return new Credentials(
        keys.getPrivate(),
        List.of(authority.issue(identity, new SigningRequest(keys.getPublic())).certificate()));
  }

  SSLContext member(PoolRole role, String owner, String id) {
    return context(credentials(identity(role, owner, id)));
  }

  SSLContext context(Credentials shown) {
    return Tls.context(
        PoolKeys.of(() -> shown), PoolTrust.ofMember(authority::trust, InstantSource.system()));
  }

  /** Where clients with its certificates come in. */
  Entrance.ByCertificate entrance(NodeCredentials node, Revocations revocations) {
    return new Entrance.ByCertificate(
        PoolKeys.of(node),
        PoolTrust.ofNode(authority::trust, revocations, InstantSource.system()),
        revocations,
        new Enrolment(authority, tokens),
        InstantSource.system());
  }

  /** Leaves key and certificate of a member in the folder. */
  void writes(PoolIdentity identity, Path folder) {
    MemberFile file = new MemberFile(folder, InstantSource.system());
    IssuedCertificate issued =
        authority.issue(identity, new SigningRequest(file.pendingKey().getPublic()));
    List<X509Certificate> answer = new ArrayList<>(List.of(issued.certificate()));
    answer.addAll(authority.trust().above());
    file.joined(answer, authority.trust());
  }
}
