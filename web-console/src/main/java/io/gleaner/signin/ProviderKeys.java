package io.gleaner.signin;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The public keys with which a provider signs (RFC 7517): RSA of 2048 bits or more, and P-256.
 * Immutable.
 */
final class ProviderKeys {
  private static final int LEAST_RSA_BITS = 2048;
  private static final int MOST_RSA_BITS = 8192;
  private static final int MOST_KEYS = 50;

  private final JWKSet keys;

  private ProviderKeys(List<JWK> keys) {
    this.keys = new JWKSet(keys);
  }

  /** The keys of a set that can be used here; others are passed over. */
  static ProviderKeys of(JsonObject set) {
    List<JWK> keys = new ArrayList<>();
    if (set.getValue("keys") instanceof JsonArray all) {
      for (int i = 0; i < Math.min(all.size(), MOST_KEYS); i++) {
        if (all.getValue(i) instanceof JsonObject each) {
          usable(each).ifPresent(keys::add);
        }
      }
    }
    return new ProviderKeys(keys);
  }

  boolean isEmpty() {
    return keys.isEmpty();
  }

  /** Whether a token with this header may be signed by one of these. */
  boolean know(JWSHeader header) {
    return header.getKeyID() == null || keys.getKeyByKeyId(header.getKeyID()) != null;
  }

  JWKSet set() {
    return keys;
  }

  private static Optional<JWK> usable(JsonObject jwk) {
    try {
      return Optional.of(JWK.parse(jwk.encode()))
          .filter(key -> key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE))
          .filter(ProviderKeys::isStrong)
          .map(JWK::toPublicJWK);
    } catch (ParseException | RuntimeException e) {
      // A key that cannot be used is as good as none.
      return Optional.empty();
    }
  }

  private static boolean isStrong(JWK key) {
    return key instanceof RSAKey
        ? key.size() >= LEAST_RSA_BITS && key.size() <= MOST_RSA_BITS
        : key instanceof ECKey curve && curve.getCurve().equals(Curve.P_256);
  }
}
