package io.gleaner.signin;

import io.gleaner.signing.Digests;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A small OpenID provider on loopback that signs everybody in at once, and lies as it is told. It
 * holds clients to their secret, to PKCE and to their redirect, and takes a code once. It signs
 * with the JDK, not with the library that the console checks with.
 */
public final class TestProvider implements AutoCloseable {
  public static final String CLIENT = "gleaner-console";
  public static final String SECRET = "a secret of the client's";

  /** Where it says what of itself. */
  static final String ITSELF = "/.well-known/openid-configuration";

  static final String KEYS = "/keys";
  public static final String TOKEN = "/token";

  private record Grant(String challenge, String nonce, String redirect) {}

  private record Key(String id, KeyPair pair) {}

  // Made once: RSA takes its time.
  private static final KeyPair FIRST = pair("RSA", 2048);
  private static final KeyPair SECOND = pair("RSA", 2048);
  private static final KeyPair FOREIGN = pair("RSA", 2048);
  private static final Key ELLIPTIC = new Key("e1", pair("EC", 256));

  private final Vertx vertx = Vertx.vertx();
  private final Map<String, Grant> codes = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();
  private final Map<String, Handler<HttpServerRequest>> otherAnswers = new ConcurrentHashMap<>();
  private volatile Key rsa = new Key("r1", FIRST);
  private volatile Key signsWith = rsa;
  private volatile String algorithm = "RS256";
  private volatile JsonObject person = new JsonObject();
  private volatile UnaryOperator<JsonObject> lie = claims -> claims;
  private volatile UnaryOperator<JsonObject> ofItself = said -> said;
  private volatile HttpServer server;
  private final int port;

  public TestProvider() throws Exception {
    start(0);
    port = server.actualPort();
  }

  public String issuer() {
    return "http://127.0.0.1:" + port;
  }

  /** From now on this is who sits before the browser, and nothing is a lie. */
  public void serves(String subject, String name) {
    person = new JsonObject().put("sub", subject).put("preferred_username", name);
    lie = claims -> claims;
    ofItself = said -> said;
    otherAnswers.clear();
    signsBy("RS256");
  }

  /** From now on tokens say something else. */
  public void lies(UnaryOperator<JsonObject> what) {
    lie = what;
  }

  /** From now on it says something else of itself. */
  void saysOfItself(UnaryOperator<JsonObject> what) {
    ofItself = what;
  }

  /** From now on this is how it answers there. */
  public void answers(String path, Handler<HttpServerRequest> otherwise) {
    otherAnswers.put(path, otherwise);
  }

  /** From now on it signs by this: RS256, ES256, HS256 with its public key as the secret, none. */
  public void signsBy(String name) {
    algorithm = name;
    signsWith = name.equals("ES256") ? ELLIPTIC : rsa;
  }

  /** From now on tokens are signed by a key that is not the provider's, under that name. */
  public void signsWithForeignKey(String keyId) {
    signsWith = new Key(keyId, FOREIGN);
  }

  /** Under which name it signs. */
  public String keyId() {
    return rsa.id();
  }

  /** Has another key under another name, which it says to whoever asks. */
  public void rotates() {
    rsa = new Key("r2", SECOND);
    signsWith = rsa;
  }

  /** How often it was asked there. */
  public int asked(String path) {
    return asked.getOrDefault(path, new AtomicInteger()).get();
  }

  public void goesAway() throws Exception {
    await(server.close());
  }

  public void comesBack() throws Exception {
    start(port);
  }

  private void start(int at) throws Exception {
    server = vertx.createHttpServer().requestHandler(this::answer);
    await(server.listen(at, "127.0.0.1"));
  }

  private void answer(HttpServerRequest request) {
    String path = request.path();
    asked.computeIfAbsent(path, p -> new AtomicInteger()).incrementAndGet();
    if (otherAnswers.containsKey(path)) {
      otherAnswers.get(path).handle(request);
      return;
    }
    switch (path) {
      case ITSELF ->
          send(
              request,
              200,
              ofItself.apply(
                  new JsonObject()
                      .put("issuer", issuer())
                      .put("authorization_endpoint", issuer() + "/authorize")
                      .put("token_endpoint", issuer() + TOKEN)
                      .put("jwks_uri", issuer() + KEYS)));
      case KEYS -> send(request, 200, new JsonObject().put("keys", keys()));
      case "/authorize" -> authorize(request);
      case TOKEN -> {
        request.setExpectMultipart(true);
        request.endHandler(end -> token(request));
      }
      default -> request.response().setStatusCode(404).end();
    }
  }

  private void authorize(HttpServerRequest request) {
    boolean asExpected =
        CLIENT.equals(request.getParam("client_id"))
            && "code".equals(request.getParam("response_type"))
            && "S256".equals(request.getParam("code_challenge_method"))
            && List.of(request.getParam("scope").split(" ")).contains("openid");
    if (!asExpected) {
      request.response().setStatusCode(400).end(request.query());
      return;
    }
    String code = "code-" + UUID.randomUUID();
    String redirect = request.getParam("redirect_uri");
    codes.put(
        code, new Grant(request.getParam("code_challenge"), request.getParam("nonce"), redirect));
    String state = encode(request.getParam("state"));
    request
        .response()
        .setStatusCode(302)
        .putHeader("Location", redirect + "?code=" + code + "&state=" + state)
        .end();
  }

  private void token(HttpServerRequest request) {
    Grant grant = codes.remove(request.getFormAttribute("code"));
    boolean right =
        grant != null
            && isClient(request)
            && grant.redirect.equals(request.getFormAttribute("redirect_uri"))
            && grant.challenge.equals(s256(request.getFormAttribute("code_verifier")));
    if (!right) {
      send(request, 400, new JsonObject().put("error", "invalid_grant"));
      return;
    }
    long now = InstantSource.system().millis() / 1000;
    JsonObject claims =
        person
            .copy()
            .put("iss", issuer())
            .put("aud", CLIENT)
            .put("nonce", grant.nonce)
            .put("iat", now)
            .put("exp", now + 300);
    send(
        request,
        200,
        new JsonObject()
            .put("access_token", "opaque")
            .put("token_type", "Bearer")
            .put("id_token", sign(lie.apply(claims))));
  }

  private static boolean isClient(HttpServerRequest request) {
    String both = encode(CLIENT) + ":" + encode(SECRET);
    String basic =
        "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
    return basic.equals(request.getHeader("Authorization"))
        || (CLIENT.equals(request.getFormAttribute("client_id"))
            && SECRET.equals(request.getFormAttribute("client_secret")));
  }

  private static String s256(String verifier) {
    return base64(Digests.sha256().digest(verifier.getBytes(StandardCharsets.US_ASCII)));
  }

  private String sign(JsonObject claims) {
    String header =
        new JsonObject().put("alg", algorithm).put("kid", signsWith.id).put("typ", "JWT").encode();
    String signed =
        base64(header.getBytes(StandardCharsets.UTF_8))
            + "."
            + base64(claims.encode().getBytes(StandardCharsets.UTF_8));
    try {
      return signed + "." + base64(signature(signed.getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] signature(byte[] signed) throws GeneralSecurityException {
    if (algorithm.equals("none")) {
      return new byte[0];
    }
    if (algorithm.equals("HS256")) {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(signsWith.pair.getPublic().getEncoded(), "HmacSHA256"));
      return mac.doFinal(signed);
    }
    Signature signature =
        Signature.getInstance(
            algorithm.equals("ES256") ? "SHA256withECDSAinP1363Format" : "SHA256withRSA");
    signature.initSign(signsWith.pair.getPrivate());
    signature.update(signed);
    return signature.sign();
  }

  private JsonArray keys() {
    RSAPublicKey modulus = (RSAPublicKey) rsa.pair.getPublic();
    ECPublicKey point = (ECPublicKey) ELLIPTIC.pair.getPublic();
    return new JsonArray()
        .add(new JsonObject().put("kty", "OKP").put("crv", "Ed25519").put("kid", "of no use"))
        .add("rubbish")
        .add(
            new JsonObject()
                .put("kty", "RSA")
                .put("use", "sig")
                .put("alg", "RS256")
                .put("kid", rsa.id)
                .put("n", base64(unsigned(modulus.getModulus(), 256)))
                .put("e", base64(unsigned(modulus.getPublicExponent(), 3))))
        .add(
            new JsonObject()
                .put("kty", "EC")
                .put("crv", "P-256")
                .put("kid", ELLIPTIC.id)
                .put("x", base64(unsigned(point.getW().getAffineX(), 32)))
                .put("y", base64(unsigned(point.getW().getAffineY(), 32))));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static KeyPair pair(String kind, int bits) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(kind);
      generator.initialize(bits);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] unsigned(BigInteger number, int length) {
    byte[] bytes = number.toByteArray();
    byte[] exact = new byte[length];
    int copied = Math.min(bytes.length, length);
    System.arraycopy(bytes, bytes.length - copied, exact, length - copied, copied);
    return exact;
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  static void send(HttpServerRequest request, int status, JsonObject body) {
    request
        .response()
        .setStatusCode(status)
        .putHeader("Content-Type", "application/json")
        .end(body.toBuffer());
  }

  private static void await(io.vertx.core.Future<?> future) throws Exception {
    future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws Exception {
    await(vertx.close());
  }
}
