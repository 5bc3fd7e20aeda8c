package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.gateway.GatewayException.Code;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.leasing.Ticker;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClientSocketTest {

  /** Keeps why there is no connection. */
  private static final class Failing implements ClientSocket.Owner {
    final CompletableFuture<String> why = new CompletableFuture<>();

    @Override
    public void failed(Code code, String sentence) {
      why.complete(code + ": " + sentence);
    }

    @Override
    public void connected(ClientSocket socket) {
      why.complete("connected");
    }

    @Override
    public void received(ClientSocket socket, Wire.ServerFrame frame) {}

    @Override
    public void garbled(Exception garbage) {}

    @Override
    public void broke(ClientSocket socket) {}

    @Override
    public boolean mustNotWait() {
      return false;
    }

    @Override
    public void notBelieved(SSLException refusal) {}
  }

  @Test
  void aNodeThatSaysNothingDoesNotAnswerAndIsNoRefusal() throws Exception {
    Failing owner = new Failing();
    try (ServerSocket frozen = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      GatewayAddress address = new GatewayAddress("127.0.0.1", frozen.getLocalPort());
      ClientSocket socket =
          new ClientSocket(
              address,
              Optional.of(SSLContext.getDefault()),
              Duration.ofMillis(300),
              owner,
              Ticker.system(),
              Runnable::run);

      assertThat(owner.why.join()).startsWith("UNREACHABLE").contains("says nothing");
      socket.close();
    }
  }
}
