package io.gleaner.gateway;

import io.gleaner.tls.Tls;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/**
 * Puts a server of Vert.x on TLS 1.3 without tickets. It asks for certificates; who shows none may
 * join and nothing else.
 */
final class GatewayTls {
  /** Also for many that come at once to a node that has just started. */
  private static final long HANDSHAKE_SECONDS = 15;

  private GatewayTls() {}

  static void use(NetServerOptions options, Entrance.ByCertificate entrance) {
    options
        .setSsl(true)
        .setSslHandshakeTimeout(HANDSHAKE_SECONDS)
        .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS)
        .setClientAuth(ClientAuth.REQUEST)
        .setKeyCertOptions(KeyCertOptions.wrap(entrance.keys()))
        .setTrustOptions(TrustOptions.wrap(entrance.trust()))
        .setEnabledSecureTransportProtocols(Set.copyOf(Tls.PROTOCOLS))
        .setSslEngineOptions(new OurContext(Tls.context(entrance.keys(), entrance.trust())));
  }

  /** A context that Vert.x makes itself sends tickets. */
  private static final class OurContext extends JdkSSLEngineOptions {
    private final SSLContext context;

    OurContext(SSLContext context) {
      this.context = context;
      // Whoever shakes hands has the node calculate; the clients that are in do not wait for that.
      setUseWorkerThread(true);
    }

    @Override
    public JdkSSLEngineOptions copy() {
      return new OurContext(context);
    }

    @Override
    public SslContextFactory sslContextFactory() {
      return () ->
          new JdkSslContext(
              context,
              false,
              Tls.CIPHER_SUITES,
              SupportedCipherSuiteFilter.INSTANCE,
              ApplicationProtocolConfig.DISABLED,
              io.netty.handler.ssl.ClientAuth.OPTIONAL,
              Tls.PROTOCOLS.toArray(String[]::new),
              false);
    }
  }
}
