package io.gleaner.gateway;

import io.gleaner.limits.Strangers;
import io.gleaner.tls.PoolKeys;
import io.gleaner.tls.PoolTrust;
import io.gleaner.tls.Tls;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/** Puts a server of Vert.x on TLS 1.3 without tickets. */
public final class ServerTls {
  /** Also for many that come at once to a node that has just started. */
  private static final long HANDSHAKE_SECONDS = 15;

  private static final int MOST_BROWSERS = 512;

  private ServerTls() {}

  /**
   * It asks for certificates; who shows none may join and nothing else.
   *
   * @param mostShaking how many handshakes are under way at a time
   */
  static void useMutual(
      NetServerOptions options, Entrance.ByCertificate entrance, int mostShaking) {
    use(
        options,
        entrance.keys(),
        entrance.trust(),
        ClientAuth.REQUEST,
        Optional.empty(),
        strangers("the gateway", mostShaking));
    options.setTrustOptions(TrustOptions.wrap(entrance.trust()));
  }

  /**
   * It asks nobody for certificates.
   *
   * @param keys what it shows
   * @param inClear the whole answer to somebody who does not speak TLS; the connection then ends
   */
  public static void useOneSided(NetServerOptions options, PoolKeys keys, String inClear) {
    use(
        options,
        keys,
        PoolTrust.ofNobody(),
        ClientAuth.NONE,
        Optional.of(inClear),
        strangers("the console", MOST_BROWSERS));
  }

  private static void use(
      NetServerOptions options,
      PoolKeys keys,
      PoolTrust trust,
      ClientAuth clients,
      Optional<String> inClear,
      Strangers<Channel> strangers) {
    options
        .setSsl(true)
        .setSslHandshakeTimeout(HANDSHAKE_SECONDS)
        .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS)
        .setClientAuth(clients)
        .setKeyCertOptions(KeyCertOptions.wrap(keys))
        .setEnabledSecureTransportProtocols(Set.copyOf(Tls.PROTOCOLS))
        .setSslEngineOptions(new OurEngine(Tls.context(keys, trust), clients, inClear, strangers));
  }

  private static Strangers<Channel> strangers(String port, int most) {
    return new Strangers<>("the TLS of " + port, most, System::nanoTime);
  }

  /** A context that Vert.x makes itself sends tickets. */
  private static final class OurEngine extends JdkSSLEngineOptions {
    private final SSLContext context;
    private final ClientAuth clients;
    private final Optional<String> inClear;
    private final Strangers<Channel> strangers;

    OurEngine(
        SSLContext context,
        ClientAuth clients,
        Optional<String> inClear,
        Strangers<Channel> strangers) {
      this.context = context;
      this.clients = clients;
      this.inClear = inClear;
      this.strangers = strangers;
      // Whoever shakes hands has the node calculate; the clients that are in do not wait for that.
      setUseWorkerThread(true);
    }

    @Override
    public JdkSSLEngineOptions copy() {
      return new OurEngine(context, clients, inClear, strangers);
    }

    @Override
    public SslContextFactory sslContextFactory() {
      return () -> new OurContext(context, clients, inClear, strangers);
    }
  }

  private static final class OurContext extends JdkSslContext {
    private final Optional<byte[]> inClear;
    private final Strangers<Channel> strangers;

    OurContext(
        SSLContext context,
        ClientAuth clients,
        Optional<String> inClear,
        Strangers<Channel> strangers) {
      super(
          context,
          false,
          Tls.CIPHER_SUITES,
          SupportedCipherSuiteFilter.INSTANCE,
          ApplicationProtocolConfig.DISABLED,
          clients == ClientAuth.NONE
              ? io.netty.handler.ssl.ClientAuth.NONE
              : io.netty.handler.ssl.ClientAuth.OPTIONAL,
          Tls.PROTOCOLS.toArray(String[]::new),
          false);
      this.strangers = strangers;
      this.inClear = inClear.map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    protected SslHandler newHandler(
        ByteBufAllocator allocator, boolean startTls, Executor executor) {
      return handler(newEngine(allocator), startTls, executor);
    }

    @Override
    protected SslHandler newHandler(
        ByteBufAllocator allocator, String host, int port, boolean startTls, Executor executor) {
      return handler(newEngine(allocator, host, port), startTls, executor);
    }

    private SslHandler handler(SSLEngine engine, boolean startTls, Executor executor) {
      return inClear.isPresent()
          ? new ClearTextRefusal(engine, startTls, executor, strangers, inClear.get())
          : new StrangersHandshake(engine, startTls, executor, strangers);
    }
  }
}
