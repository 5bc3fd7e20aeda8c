package io.gleaner.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Shows what its owner has at the time of each handshake, so a renewed certificate needs no
 * restart. Safe for all threads.
 */
public final class PoolKeys extends X509ExtendedKeyManager {
  private static final int REMEMBERED = 4;

  private final Supplier<Optional<Credentials>> current;
  // A handshake asks for the name first and for key and chain later; they must belong together.
  private final ConcurrentMap<String, Credentials> shown = new ConcurrentHashMap<>();

  private PoolKeys(Supplier<Optional<Credentials>> current) {
    this.current = current;
  }

  /** Shows what the supplier says. */
  public static PoolKeys of(Supplier<Credentials> current) {
    return new PoolKeys(() -> Optional.of(current.get()));
  }

  /** Shows nothing, as who has not joined yet. */
  public static PoolKeys none() {
    return new PoolKeys(Optional::empty);
  }

  private String name() {
    Optional<Credentials> now = current.get();
    if (now.isEmpty()) {
      return null;
    }
    String name = now.get().certificate().getSerialNumber().toString(16);
    if (shown.putIfAbsent(name, now.get()) == null && shown.size() > REMEMBERED) {
      shown.keySet().removeIf(other -> !other.equals(name));
    }
    return name;
  }

  @Override
  public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
    return ofType(keyType);
  }

  @Override
  public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
    return ofType(keyType);
  }

  @Override
  public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
    return name();
  }

  @Override
  public String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
    return name();
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    Credentials credentials = alias == null ? null : shown.get(alias);
    return credentials == null ? null : credentials.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    Credentials credentials = alias == null ? null : shown.get(alias);
    return credentials == null ? null : credentials.key();
  }

  @Override
  public String[] getServerAliases(String keyType, Principal[] issuers) {
    return names(keyType);
  }

  @Override
  public String[] getClientAliases(String keyType, Principal[] issuers) {
    return names(keyType);
  }

  private String[] names(String keyType) {
    String name = ofType(keyType);
    return name == null ? new String[0] : new String[] {name};
  }

  private String ofType(String keyType) {
    String name = name();
    return name != null && keyType.startsWith(shown.get(name).key().getAlgorithm()) ? name : null;
  }
}
