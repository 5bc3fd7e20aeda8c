package io.gleaner.node;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.gleaner.authority.P256;
import io.gleaner.enrolment.BrowserProof;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.signing.Digests;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A WebSocket of somebody who says what a browser would not: from Java, over the console's port.
 */
final class BrowserLine implements AutoCloseable {
  static final String ENROLMENT = "/volunteer/enrolment";
  static final String SPACE = "/volunteer/space";
  private static final JsonMapper JSON = new JsonMapper();
  private static final int SECONDS_MOST = 60;

  private final BlockingQueue<String> texts = new LinkedBlockingQueue<>();
  private final BlockingQueue<Wire.ServerFrame> frames = new LinkedBlockingQueue<>();
  private final CompletableFuture<String> closed = new CompletableFuture<>();
  private final WebSocket socket;
  private final String channel;

  private BrowserLine(String console, String origin, String channel) throws Exception {
    this.channel = channel;
    URI address = URI.create(console.replace("http", "ws")).resolve(channel);
    WebSocket.Builder builder = HttpClient.newHttpClient().newWebSocketBuilder();
    if (!origin.isEmpty()) {
      builder.header("Origin", origin);
    }
    this.socket = builder.buildAsync(address, new Ear()).get(SECONDS_MOST, SECONDS);
  }

  static BrowserLine to(String console, String channel) throws Exception {
    return new BrowserLine(console, origin(console), channel);
  }

  /** As from a page of that origin, or from none. */
  static BrowserLine from(String origin, String console, String channel) throws Exception {
    return new BrowserLine(console, origin, channel);
  }

  /** As a browser names the console's pages. */
  static String origin(String console) {
    return console.replaceAll("/$", "");
  }

  private final class Ear implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        texts.add(text.toString());
        text.setLength(0);
      }
      from.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
      byte[] more = new byte[data.remaining()];
      data.get(more);
      bytes.writeBytes(more);
      try {
        readFrames();
      } catch (IOException e) {
        closed.complete("broken: " + e);
      }
      from.request(1);
      return null;
    }

    private void readFrames() throws IOException {
      ByteBuffer all = ByteBuffer.wrap(bytes.toByteArray());
      while (all.remaining() >= 4 && all.remaining() - 4 >= all.getInt(all.position())) {
        byte[] message = new byte[all.getInt()];
        all.get(message);
        frames.add(Wire.ServerFrame.parseFrom(message));
      }
      byte[] rest = new byte[all.remaining()];
      all.get(rest);
      bytes.reset();
      bytes.writeBytes(rest);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
      closed.complete(code + " " + reason);
      return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
      closed.complete("broken: " + error);
    }
  }

  JsonNode hears() throws InterruptedException {
    String text = texts.poll(SECONDS_MOST, SECONDS);
    if (text == null) {
      throw new AssertionError("nothing was heard");
    }
    return JSON.readTree(text);
  }

  Wire.ServerFrame hearsFrame() throws InterruptedException {
    Wire.ServerFrame frame = frames.poll(SECONDS_MOST, SECONDS);
    if (frame == null) {
      throw new AssertionError("no frame was heard");
    }
    return frame;
  }

  /** The proof that the node asks for now. */
  BrowserProof proof(String subject) throws InterruptedException {
    JsonNode asked = hears();
    return new BrowserProof(
        asked.path("pool").asString(),
        asked.path("origin").asString(),
        channel,
        asked.path("nonce").asString(),
        subject);
  }

  void says(Map<String, String> message) throws Exception {
    says(JSON.writeValueAsString(message));
  }

  void says(String text) throws Exception {
    socket.sendText(text, true).get(SECONDS_MOST, SECONDS);
  }

  void saysBytes(byte[] bytes) throws Exception {
    socket.sendBinary(ByteBuffer.wrap(bytes), true).get(SECONDS_MOST, SECONDS);
  }

  /** As a message in two pieces. */
  void saysBytesInPieces(byte[] bytes) throws Exception {
    int half = bytes.length / 2;
    socket.sendBinary(ByteBuffer.wrap(bytes, 0, half), false).get(SECONDS_MOST, SECONDS);
    socket
        .sendBinary(ByteBuffer.wrap(bytes, half, bytes.length - half), true)
        .get(SECONDS_MOST, SECONDS);
  }

  /** Pings until it may not, a thousand times at most. */
  void pings() throws Exception {
    try {
      for (int i = 0; i < 1_000; i++) {
        socket.sendPing(ByteBuffer.allocate(125)).get(SECONDS_MOST, SECONDS);
      }
    } catch (ExecutionException ended) {
      // The node has closed.
    }
  }

  /** Code and reason with which the node closed. */
  String ends() throws Exception {
    return closed.get(SECONDS_MOST, SECONDS);
  }

  /** Becomes a member by the token, as a browser does. */
  static JsonNode enrols(String console, String token, KeyPair keys) throws Exception {
    try (BrowserLine line = to(console, ENROLMENT)) {
      BrowserProof proof = line.proof(digest(token));
      line.says(Map.of("key", key(keys), "token", token, "signature", signature(keys, proof)));
      return line.hears();
    }
  }

  static String digest(String text) {
    return Digests.sha256Hex(text.getBytes(StandardCharsets.UTF_8));
  }

  static KeyPair keys() {
    return P256.generate();
  }

  static String key(KeyPair keys) {
    return Base64.getEncoder().encodeToString(keys.getPublic().getEncoded());
  }

  static String signature(KeyPair keys, BrowserProof proof) throws GeneralSecurityException {
    Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
    signature.initSign(keys.getPrivate());
    signature.update(proof.encode());
    return Base64.getEncoder().encodeToString(signature.sign());
  }

  @Override
  public void close() {
    socket.abort();
  }
}
