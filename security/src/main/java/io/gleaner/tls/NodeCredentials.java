package io.gleaner.tls;

import io.gleaner.authority.Authority;
import io.gleaner.authority.IssuedCertificate;
import io.gleaner.authority.P256;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What a node of the pool shows: a certificate for a key that lives in memory only, issued by
 * itself at its start, and anew when it is time. Safe for all threads.
 */
public final class NodeCredentials implements Supplier<Credentials> {
  private final Authority authority;
  private final String id;
  private final List<String> names;
  private final InstantSource clock;
  private volatile Credentials current;

  /**
   * Issues the first certificate.
   *
   * @param id of the node in the pool
   * @param names the DNS names and addresses at which people reach it
   */
  public NodeCredentials(
      Authority authority, String id, Collection<String> names, InstantSource clock) {
    this.authority = authority;
    this.id = id;
    this.names = List.copyOf(names);
    this.clock = clock;
    this.current = issue();
  }

  @Override
  public Credentials get() {
    return current;
  }

  /**
   * Takes a new certificate in the last third of the old one's life, and when other authorities are
   * trusted than it shows. To be called at least daily, and whenever {@link Authority#refresh} was.
   */
  public synchronized void renewIfDue() {
    X509Certificate certificate = current.certificate();
    if (!clock.instant().isBefore(Authority.renewableFrom(certificate))
        || !current.chain().equals(chain(certificate))) {
      current = issue();
    }
  }

  private Credentials issue() {
    KeyPair keys = P256.generate();
    IssuedCertificate issued = authority.issueNode(id, names, keys.getPublic());
    return new Credentials(keys.getPrivate(), chain(issued.certificate()));
  }

  private List<X509Certificate> chain(X509Certificate certificate) {
    return Stream.concat(Stream.of(certificate), authority.trust().above().stream()).toList();
  }
}
