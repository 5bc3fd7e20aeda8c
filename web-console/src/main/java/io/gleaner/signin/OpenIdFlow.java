package io.gleaner.signin;

import io.gleaner.secrets.Secret;
import io.gleaner.signing.Digests;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

/**
 * One sign-in that is under way at the provider.
 *
 * @param browser what only the browser has that began it, as a cookie
 * @param state what comes back with the browser
 * @param nonce what comes back in the ID token
 * @param verifier what proves to the provider that the code was meant for this console (RFC 7636)
 * @param redirect where the provider sends the browser
 * @param then where to go afterwards
 * @param network from where it was begun
 */
record OpenIdFlow(
    Secret browser,
    Secret state,
    Secret nonce,
    Secret verifier,
    String redirect,
    String then,
    String network,
    Instant began) {

  static OpenIdFlow begin(String redirect, String then, String network, Instant now) {
    return new OpenIdFlow(
        Secret.random(),
        Secret.random(),
        Secret.random(),
        Secret.random(),
        redirect,
        then,
        network,
        now);
  }

  /** The verifier's SHA-256, as S256 has it. */
  String challenge() {
    byte[] digest = Digests.sha256().digest(verifier.reveal().getBytes(StandardCharsets.US_ASCII));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
  }
}
