package io.gleaner.signin;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * What a provider says of itself (OpenID Connect Discovery 1.0), as far as it is needed here.
 *
 * @param authorization where people are sent
 * @param token where codes are exchanged
 * @param keys where its keys are
 * @param basic whether it takes the client's secret as a password, else as a field of the form
 */
record ProviderFacts(String authorization, String token, String keys, boolean basic) {
  private static final String BY_PASSWORD = "client_secret_basic";
  private static final String BY_FORM = "client_secret_post";

  /** Where a provider says it. */
  static String place(OpenIdSettings settings) {
    String issuer = settings.issuer();
    String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    return base + "/.well-known/openid-configuration";
  }

  /**
   * Reads what it says.
   *
   * @throws IllegalArgumentException if it is of another issuer, or cannot be used here
   */
  static ProviderFacts read(JsonObject said, OpenIdSettings settings) {
    if (!settings.issuer().equals(said.getValue("issuer"))) {
      throw new IllegalArgumentException("it is another issuer, by its own words");
    }
    Object methods = said.getValue("token_endpoint_auth_methods_supported");
    boolean basic = !(methods instanceof JsonArray known) || known.contains(BY_PASSWORD);
    if (!basic && !((JsonArray) methods).contains(BY_FORM)) {
      throw new IllegalArgumentException("it takes no client's secret");
    }
    return new ProviderFacts(
        address(said, "authorization_endpoint", settings),
        address(said, "token_endpoint", settings),
        address(said, "jwks_uri", settings),
        basic);
  }

  private static String address(JsonObject said, String name, OpenIdSettings settings) {
    if (said.getValue(name) instanceof String url && settings.isSafeBeside(url)) {
      return url;
    }
    throw new IllegalArgumentException("its " + name + " is missing or not https");
  }
}
