package io.gleaner.signin;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.gleaner.audit.PlainText;
import io.gleaner.secrets.Secret;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.Map;
import java.util.Set;

/**
 * Checks ID tokens (OpenID Connect Core 1.0, 3.1.3.7), signed by RS256 or ES256, with a minute
 * between the clocks. Immutable.
 */
final class IdTokens {
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(JWSAlgorithm.RS256, JWSAlgorithm.ES256);
  private static final Duration SKEW = Duration.ofMinutes(1);
  private static final Duration OLDEST = Duration.ofMinutes(10);
  private static final int LONGEST_TOKEN = 16 * 1024;
  private static final int LONGEST_REASON = 200;

  private final OpenIdSettings settings;
  private final InstantSource clock;

  /**
   * A token that is refused, with a sentence; of what the token says only what a key has signed.
   */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    Refused(String why) {
      super(why);
    }
  }

  IdTokens(OpenIdSettings settings, InstantSource clock) {
    this.settings = settings;
    this.clock = clock;
  }

  /** The token as it says it is signed; nothing of it is believed yet. */
  SignedJWT read(String text) throws Refused {
    if (text.length() > LONGEST_TOKEN) {
      throw new Refused("the ID token is longer than " + LONGEST_TOKEN + " characters");
    }
    try {
      SignedJWT token = SignedJWT.parse(text);
      if (!ALGORITHMS.contains(token.getHeader().getAlgorithm())) {
        throw new Refused("the ID token is not signed by RS256 or ES256");
      }
      return token;
    } catch (ParseException e) {
      throw new Refused("the ID token is no signed token");
    }
  }

  /**
   * What the token says of somebody.
   *
   * @param nonce what the request for it carried
   */
  Map<String, Object> claims(SignedJWT token, ProviderKeys keys, Secret nonce) throws Refused {
    DefaultJWTProcessor<SecurityContext> check = new DefaultJWTProcessor<>();
    check.setJWSKeySelector(
        new JWSVerificationKeySelector<>(ALGORITHMS, new ImmutableJWKSet<>(keys.set())));
    check.setJWTClaimsSetVerifier(new Claims());
    try {
      JWTClaimsSet claims = check.process(token, null);
      requireOurs(claims, nonce);
      return claims.getClaims();
    } catch (BadJWTException e) {
      String why = PlainText.of(e.getMessage(), LONGEST_REASON);
      throw new Refused("the ID token is not good here and now: " + why);
    } catch (BadJOSEException | JOSEException e) {
      throw new Refused("the ID token is not signed by the provider");
    } catch (ParseException e) {
      throw new Refused("the ID token has a claim of another form than OpenID's");
    }
  }

  private void requireOurs(JWTClaimsSet claims, Secret nonce) throws ParseException, Refused {
    String party = claims.getStringClaim("azp");
    boolean forUs =
        party == null ? claims.getAudience().size() == 1 : party.equals(settings.clientId());
    if (!forUs) {
      throw new Refused("the ID token is for another client");
    }
    Instant now = clock.instant();
    Instant issued = claims.getIssueTime().toInstant();
    if (issued.isAfter(now.plus(SKEW)) || issued.isBefore(now.minus(OLDEST))) {
      throw new Refused("the ID token was not issued just now; are both clocks right?");
    }
    String answered = claims.getStringClaim("nonce");
    if (answered.isEmpty() || !nonce.equals(Secret.of(answered))) {
      throw new Refused("the ID token answers another sign-in");
    }
  }

  /** What the library looks at: issuer, audience, times, and that nothing is missing. */
  private final class Claims extends DefaultJWTClaimsVerifier<SecurityContext> {
    Claims() {
      super(
          settings.clientId(),
          new JWTClaimsSet.Builder().issuer(settings.issuer()).build(),
          Set.of("sub", "exp", "iat", "nonce"));
      setMaxClockSkew(Math.toIntExact(SKEW.toSeconds()));
    }

    @Override
    protected Date currentTime() {
      return Date.from(clock.instant());
    }
  }
}
