package io.gleaner.api.rest;

import io.gleaner.authority.Fingerprint;
import io.gleaner.tls.PoolKeys;
import io.gleaner.tls.PoolTrust;
import io.gleaner.tls.Tls;
import java.net.URI;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * Which consoles a client believes, over https.
 *
 * @param fingerprints of the pool's authority, or of the console's own key; none for whoever the
 *     Java platform trusts under the console's host name, as browsers do
 */
public record ConsoleTrust(List<Fingerprint> fingerprints) {
  /** The environment variable that names fingerprints. */
  public static final String VARIABLE = "GLEANER_AUTHORITY";

  public ConsoleTrust {
    fingerprints = List.copyOf(fingerprints);
  }

  /** As the Java platform trusts. */
  public static ConsoleTrust ofPlatform() {
    return new ConsoleTrust(List.of());
  }

  /**
   * Fingerprints as people write them, with commas between.
   *
   * @throws io.gleaner.secrets.SecurityRefusal if one is none
   */
  public static ConsoleTrust parse(String text) {
    return new ConsoleTrust(Arrays.stream(text.split(",")).map(Fingerprint::parse).toList());
  }

  /** What {@link #VARIABLE} says, else as the Java platform trusts. */
  public static ConsoleTrust ofSurroundings() {
    return Optional.ofNullable(System.getenv(VARIABLE))
        .filter(text -> !text.isBlank())
        .map(ConsoleTrust::parse)
        .orElseGet(ConsoleTrust::ofPlatform);
  }

  Optional<SSLContext> context() {
    return fingerprints.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Tls.context(
                PoolKeys.none(), PoolTrust.ofFingerprints(fingerprints, InstantSource.system())));
  }

  String refusal(URI console, Exception why) {
    return fingerprints.isEmpty()
        ? "the certificate of "
            + console
            + " is not of an authority that this machine knows ("
            + why.getMessage()
            + "); if it is of its pool, name the fingerprint that 'gleaner up' prints there, with"
            + " --authority or "
            + VARIABLE
        : console + " is not who it should be: " + why.getMessage();
  }
}
