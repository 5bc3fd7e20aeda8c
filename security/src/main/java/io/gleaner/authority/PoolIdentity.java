package io.gleaner.authority;

import io.gleaner.identity.Names;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.security.SecureRandom;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Who holds a certificate, as the one URI among its names: {@code
 * gleaner://<pool>/<role>/<owner>/<id>} (RFC 5280 section 4.2.1.6).
 *
 * @param pool the name of the pool, a lower-case DNS label that starts with a letter
 * @param owner the user on whose behalf it acts, {@link #NOBODY} for a node
 * @param id unique in the pool: up to 64 lower-case letters, digits and hyphens
 */
public record PoolIdentity(String pool, PoolRole role, String owner, String id) {
  /** The owner of nodes; no user can have this name. */
  public static final String NOBODY = "-";

  private static final String SCHEME = "gleaner://";
  private static final Pattern POOL = Pattern.compile("[a-z]([a-z0-9-]{0,61}[a-z0-9])?");
  private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");
  private static final int LONGEST_URI = 256;
  private static final int URI_NAME = 6;
  private static final int RANDOM_ID_BITS = 80;
  private static final SecureRandom RANDOM = new SecureRandom();

  public PoolIdentity {
    requirePool(pool);
    if (role == PoolRole.NODE) {
      if (!owner.equals(NOBODY)) {
        throw new SecurityRefusal(Code.INVALID, "a node belongs to the pool, not to a user");
      }
    } else {
      Names.require("owner", owner);
    }
    requireId(id);
  }

  public static PoolIdentity node(String pool, String id) {
    return new PoolIdentity(pool, PoolRole.NODE, NOBODY, id);
  }

  /** A new id of 80 random bits: 16 characters. */
  public static String randomId() {
    byte[] bits = new byte[RANDOM_ID_BITS / 8];
    RANDOM.nextBytes(bits);
    return Base32.encode(bits);
  }

  /**
   * Refuses what can be no pool's name.
   *
   * @throws SecurityRefusal with what was expected
   */
  public static void requirePool(String pool) {
    if (!POOL.matcher(pool).matches()) {
      throw new SecurityRefusal(
          Code.INVALID,
          "'"
              + printable(pool)
              + "' is no name of a pool: expected a lower-case letter, then up to 62 lower-case"
              + " letters, digits and hyphens");
    }
  }

  /**
   * Refuses what can be no member's name.
   *
   * @throws SecurityRefusal with what was expected
   */
  public static void requireId(String id) {
    if (!ID.matcher(id).matches()) {
      throw new SecurityRefusal(
          Code.INVALID,
          "'"
              + printable(id)
              + "' is no name of a member: expected a lower-case letter or digit, then up to 63"
              + " lower-case letters, digits and hyphens");
    }
  }

  public String uri() {
    return SCHEME + pool + "/" + role.text() + "/" + owner + "/" + id;
  }

  /** The identity in this form, or empty if it is none. */
  public static Optional<PoolIdentity> parse(String uri) {
    if (uri.length() > LONGEST_URI || !uri.startsWith(SCHEME)) {
      return Optional.empty();
    }
    String[] parts = uri.substring(SCHEME.length()).split("/", -1);
    if (parts.length != 4) {
      return Optional.empty();
    }
    try {
      return PoolRole.of(parts[1])
          .map(role -> new PoolIdentity(parts[0], role, parts[2], parts[3]));
    } catch (SecurityRefusal noIdentity) {
      return Optional.empty();
    }
  }

  /** Who holds the certificate; empty unless it names exactly one identity of a pool. */
  public static Optional<PoolIdentity> of(X509Certificate certificate) {
    List<String> uris = new ArrayList<>();
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      if (names == null) {
        return Optional.empty();
      }
      for (List<?> name : names) {
        if (name.get(0).equals(URI_NAME) && name.get(1) instanceof String uri) {
          uris.add(uri);
        }
      }
    } catch (CertificateParsingException e) {
      return Optional.empty();
    }
    return uris.size() == 1 ? parse(uris.get(0)) : Optional.empty();
  }

  @Override
  public String toString() {
    return uri();
  }

  private static String printable(String text) {
    return text.substring(0, Math.min(text.length(), 64)).replaceAll("[^ -~]", "?");
  }
}
