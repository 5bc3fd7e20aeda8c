package io.gleaner.tls;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;

/** TLS 1.3 as the gateway and its clients speak it (RFC 8446), without resumption. */
public final class Tls {
  /** The only version. */
  public static final List<String> PROTOCOLS = List.of("TLSv1.3");

  /** The cipher suites, the preferred one first. */
  public static final List<String> CIPHER_SUITES =
      List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

  // The JDK sends no ticket for sessions that would live longer than the 7 days of RFC 8446 section
  // 4.6.1. It has no other switch that concerns one context only.
  private static final int NO_TICKETS_SECONDS = 8 * 24 * 3600;

  /** Whether the other end has to show a certificate. */
  public enum ClientCertificate {
    /** It must: everything but joining. */
    NEEDED,
    /** It may: where somebody without one may join, and nothing else. */
    WANTED,
    /** It is not asked: browsers on the console. */
    NOT_ASKED
  }

  private Tls() {}

  /**
   * A context without tickets. Its engines and sockets need {@link #server} or {@link #client} as
   * their parameters: a context of the JDK cannot fix versions by itself. A network library that
   * makes a context of its own from key and trust managers (Vert.x does) sends tickets; it has to
   * be given this one.
   */
  public static SSLContext context(PoolKeys keys, PoolTrust trust) {
    try {
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(new KeyManager[] {keys}, new TrustManager[] {trust}, new SecureRandom());
      for (SSLSessionContext sessions :
          List.of(context.getServerSessionContext(), context.getClientSessionContext())) {
        sessions.setSessionTimeout(NO_TICKETS_SECONDS);
        sessions.setSessionCacheSize(1);
      }
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java platform has no TLS 1.3", e);
    }
  }

  /** For the server's end. */
  public static SSLParameters server(ClientCertificate certificate) {
    SSLParameters parameters = client();
    parameters.setUseCipherSuitesOrder(true);
    switch (certificate) {
      case NEEDED -> parameters.setNeedClientAuth(true);
      case WANTED -> parameters.setWantClientAuth(true);
      case NOT_ASKED -> parameters.setNeedClientAuth(false);
    }
    return parameters;
  }

  /** For the client's end: no check of the host's name, see {@link PoolTrust}. */
  public static SSLParameters client() {
    SSLParameters parameters = new SSLParameters();
    parameters.setProtocols(PROTOCOLS.toArray(String[]::new));
    parameters.setCipherSuites(CIPHER_SUITES.toArray(String[]::new));
    return parameters;
  }
}
