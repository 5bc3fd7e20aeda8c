package io.gleaner.signin;

import io.gleaner.identity.Role;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whom of those that an OpenID provider knows a console takes, by the claims of their ID tokens,
 * and as what. Immutable.
 *
 * @param nameClaim which claim is a new user's name
 * @param newRoles what a new user is: owner, submitter or both
 * @param allowed one of these has to hold with every sign-in; everybody is taken if there is none
 */
public record Admission(String nameClaim, Set<Role> newRoles, List<Condition> allowed) {
  /** The claim that most providers have for a short name. */
  public static final String USUAL_CLAIM = "preferred_username";

  private static final String EMAIL = "email";
  private static final Set<Role> FOR_NEW_USERS = Set.of(Role.OWNER, Role.SUBMITTER);
  private static final Pattern CLAIM = Pattern.compile("[!-<>-~]{1,100}");
  private static final int MOST_CONDITIONS = 100;

  public Admission {
    requireClaim(nameClaim);
    newRoles = Set.copyOf(newRoles);
    allowed = List.copyOf(allowed);
    if (newRoles.isEmpty() || !FOR_NEW_USERS.containsAll(newRoles)) {
      throw new SecurityRefusal(
          Code.INVALID,
          "whoever comes by the OpenID provider is a submitter, an owner or both; operators and"
              + " auditors are made by 'gleaner users roles'");
    }
    if (allowed.size() > MOST_CONDITIONS) {
      throw new SecurityRefusal(
          Code.INVALID, "there are more than " + MOST_CONDITIONS + " conditions for OpenID");
    }
  }

  /** Everybody, as a submitter. */
  public static Admission usual() {
    return new Admission(USUAL_CLAIM, Set.of(Role.SUBMITTER), List.of());
  }

  /**
   * A claim that somebody must have, which is the value or a list with it.
   *
   * @param value as it stands there; for {@code email} also {@code *@domain}
   */
  public record Condition(String claim, String value) {
    private static final String ANYBODY_AT = "*@";

    /** A condition in the form {@code claim=value}. */
    public static Condition parse(String text) {
      int sign = text.indexOf('=');
      if (sign < 1 || sign == text.length() - 1) {
        throw new SecurityRefusal(
            Code.INVALID, "'" + text + "' is no condition; expected claim=value");
      }
      String claim = text.substring(0, sign);
      requireClaim(claim);
      return new Condition(claim, text.substring(sign + 1));
    }

    boolean holds(Map<String, Object> claims) {
      Object said = claims.get(claim);
      if (claim.equals(EMAIL)) {
        return said instanceof String address && isVerified(claims) && isThat(address);
      }
      return said instanceof Collection<?> several
          ? several.stream().anyMatch(each -> value.equals(String.valueOf(each)))
          : said != null && value.equals(String.valueOf(said));
    }

    private boolean isThat(String address) {
      String small = address.toLowerCase(Locale.ROOT);
      String wanted = value.toLowerCase(Locale.ROOT);
      return wanted.startsWith(ANYBODY_AT)
          ? small
              .substring(small.lastIndexOf('@') + 1)
              .equals(wanted.substring(ANYBODY_AT.length()))
          : small.equals(wanted);
    }
  }

  /** Whether the provider has to be asked for addresses of mail. */
  boolean needsEmail() {
    return nameClaim.equals(EMAIL)
        || allowed.stream().anyMatch(condition -> condition.claim().equals(EMAIL));
  }

  /** Whether somebody with these claims may sign in. */
  boolean admits(Map<String, Object> claims) {
    return allowed.isEmpty() || allowed.stream().anyMatch(condition -> condition.holds(claims));
  }

  /** What the provider calls somebody with these claims; empty if it says nothing of that. */
  String name(Map<String, Object> claims) {
    boolean known = !nameClaim.equals(EMAIL) || isVerified(claims);
    return known && claims.get(nameClaim) instanceof String name ? name : "";
  }

  private static boolean isVerified(Map<String, Object> claims) {
    // Some providers say it as text.
    return "true".equals(String.valueOf(claims.get("email_verified")));
  }

  private static void requireClaim(String claim) {
    if (!CLAIM.matcher(claim).matches()) {
      throw new SecurityRefusal(
          Code.INVALID,
          "'" + claim + "' is no claim; expected 1 to 100 visible ASCII characters without =");
    }
  }
}
