package io.gleaner.volunteer;

import io.gleaner.authority.Authority;
import io.gleaner.authority.Certificates;
import io.gleaner.authority.IssuedCertificate;
import io.gleaner.authority.P256;
import io.gleaner.authority.PoolRole;
import io.gleaner.enrolment.BrowserProof;
import io.gleaner.enrolment.Enrolment;
import io.gleaner.enrolment.Invitation;
import io.gleaner.enrolment.Members;
import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Thing;
import io.gleaner.secrets.Secret;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.Caller;
import io.gleaner.signing.Digests;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/**
 * Makes members of browsers, and knows them again. Methods read and write the database, throw
 * {@link io.gleaner.secrets.SecurityRefusal} or {@link ConsoleException} with one sentence, and are
 * safe for all threads.
 */
final class BrowserDesk {
  private static final Duration AT_ONCE = Duration.ofMinutes(1);

  private final Members members;
  private final Enrolment enrolment;

  BrowserDesk(Members members, Enrolment enrolment) {
    this.members = members;
    this.enrolment = enrolment;
  }

  /**
   * What a browser sends to become a member.
   *
   * @param key its public key, a SubjectPublicKeyInfo in base 64
   * @param token a join token for a browser; null for one whose user has signed in
   * @param csrf what only the console's own pages know; null with a token
   * @param signature of its {@link BrowserProof}, in base 64
   */
  record Request(String key, String token, String csrf, String signature) {}

  /** What a browser sends to open the space; the signature is in base 64. */
  record Opening(String serial, String signature) {}

  /**
   * Who a browser is from now on.
   *
   * @param pool fingerprint of the authority that says so
   * @param renewable when the last third of its certificate's life begins
   */
  record Enrolled(
      String serial, String name, String owner, String pool, Instant renewable, Instant ends) {}

  /** What both ends know of a WebSocket. */
  record Place(String pool, String origin, String channel, String nonce) {
    BrowserProof proof(String subject) {
      return new BrowserProof(pool, origin, channel, nonce, subject);
    }
  }

  String pool() {
    return members.authorities().get(0).hex();
  }

  /** The certificate of a browser that has shown to have its key. */
  X509Certificate opened(Place place, Opening opening) {
    require(opening.serial(), "the serial number of its certificate");
    X509Certificate own = members.browser(opening.serial());
    place.proof(opening.serial()).require(own.getPublicKey(), bytes(opening.signature()));
    return own;
  }

  /** Another certificate for the key of a browser that has shown to have it. */
  Enrolled renewed(Place place, Opening opening) {
    return view(enrolment.renewBrowser(opened(place, opening)));
  }

  /**
   * Makes a member by a join token, or of whoever has signed in.
   *
   * @param from the address that asks, for the security log
   */
  Enrolled enrolled(Place place, Request request, Optional<Caller> caller, String from) {
    PublicKey key = P256.publicKey(bytes(request.key()));
    byte[] signature = bytes(request.signature());
    if (request.token() != null) {
      place.proof(digest(request.token())).require(key, signature);
      return view(enrolment.joinBrowser(Secret.of(request.token()), key, from));
    }
    Caller user =
        caller.orElseThrow(
            () ->
                new ConsoleException(
                    Code.SIGN_IN_REQUIRED,
                    "a browser joins by a join token or as a signed-in user; nobody's is let in"));
    require(request.csrf(), "the page's own token");
    Authentication.requireMeant(user, request.csrf());
    user.require(Action.WRITE, Thing.member(user.name(), PoolRole.BROWSER.text()));
    place.proof(digest(request.csrf())).require(key, signature);
    Members.Invited invited =
        members.invite(
            new Invitation(PoolRole.BROWSER, user.name(), Optional.empty(), AT_ONCE), user.actor());
    return view(enrolment.joinBrowser(invited.token().secret(), key, from));
  }

  private static Enrolled view(IssuedCertificate issued) {
    return new Enrolled(
        Certificates.serial(issued.certificate()),
        issued.identity().id(),
        issued.identity().owner(),
        issued.issuer().hex(),
        Authority.renewableFrom(issued.certificate()),
        issued.certificate().getNotAfter().toInstant());
  }

  private static String digest(String text) {
    return Digests.sha256Hex(text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] bytes(String base64) {
    require(base64, "a key or a signature");
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new ConsoleException(
          Code.INVALID_REQUEST, "a key or a signature is not in base 64; send it so", e);
    }
  }

  private static void require(String text, String what) {
    if (text == null) {
      throw new ConsoleException(
          Code.INVALID_REQUEST, "the browser's message lacks " + what + "; send it");
    }
  }
}
