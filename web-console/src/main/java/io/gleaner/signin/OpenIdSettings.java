package io.gleaner.signin;

import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The OpenID provider by which people may sign in.
 *
 * @param issuer its URL exactly as its tokens have it, https, or http on loopback
 * @param clientId what it calls this console
 * @param clientSecret by which it knows it
 * @param name what the page calls it
 * @param moreScopes what to ask for besides {@code openid}, {@code profile} and what is needed
 * @param admission whom of its people the console takes
 * @param patience how long one answer of it may take
 */
public record OpenIdSettings(
    String issuer,
    String clientId,
    Secret clientSecret,
    String name,
    List<String> moreScopes,
    Admission admission,
    Duration patience) {
  /** What a page calls a provider without a name. */
  public static final String USUAL_NAME = "OpenID";

  /** Three answers in a row are within what the console itself takes for one. */
  public static final Duration USUAL_PATIENCE = Duration.ofSeconds(5);

  private static final int LONGEST = 255;
  private static final int LONGEST_URL = 500;
  private static final int LONGEST_NAME = 40;
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");
  private static final Pattern SCOPE = Pattern.compile("[!#-\\[\\]-~]{1,100}");

  public OpenIdSettings {
    moreScopes = List.copyOf(moreScopes);
    if (!isSafe(issuer) || issuer.indexOf('?') >= 0) {
      throw new SecurityRefusal(
          Code.INVALID,
          "'"
              + issuer
              + "' is no issuer; expected https://host/path as the provider names itself, or"
              + " http:// on loopback");
    }
    require(
        !clientId.isBlank() && clientId.length() <= LONGEST,
        "the client id of OpenID has 1 to " + LONGEST + " characters");
    require(
        !name.isBlank() && name.length() <= LONGEST_NAME,
        "the name of the OpenID provider has 1 to " + LONGEST_NAME + " characters");
    require(
        moreScopes.stream().allMatch(scope -> SCOPE.matcher(scope).matches()),
        "a scope of OpenID is 1 to 100 visible ASCII characters without quotes and backslashes");
    require(!patience.isNegative() && !patience.isZero(), "the patience with OpenID is above 0");
  }

  /** What the provider is asked for. */
  String scopes() {
    Set<String> scopes = new LinkedHashSet<>(List.of("openid", "profile"));
    if (admission.needsEmail()) {
      scopes.add("email");
    }
    scopes.addAll(moreScopes);
    return String.join(" ", scopes);
  }

  /** Whether the provider may name this address of its own: nobody on the way hears or changes. */
  boolean isSafeBeside(String url) {
    return isSafe(url) && (url.startsWith("https:") || issuer.startsWith("http:"));
  }

  private static boolean isSafe(String url) {
    return address(url)
        .filter(
            uri ->
                uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawFragment() == null
                    && ("https".equals(uri.getScheme())
                        || ("http".equals(uri.getScheme()) && LOOPBACK.contains(uri.getHost()))))
        .isPresent();
  }

  private static Optional<URI> address(String url) {
    try {
      return url.length() <= LONGEST_URL ? Optional.of(new URI(url)) : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new SecurityRefusal(Code.INVALID, otherwise);
    }
  }
}
