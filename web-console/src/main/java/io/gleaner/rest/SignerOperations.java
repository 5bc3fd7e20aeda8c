package io.gleaner.rest;

import io.gleaner.bag.Signers;
import io.gleaner.enrolment.Members;
import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.http.Json;
import io.gleaner.http.OffLoop;
import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Thing;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.Caller;
import io.gleaner.signing.Signer;
import io.gleaner.signing.SignerProof;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;

/** Keys that sign programs: list, add, revoke. */
public final class SignerOperations {
  private static final String NOBODY = "";

  private final Signers signers;
  private final Members members;
  private final OffLoop offLoop;

  /** The body that adds a key, with the signature of {@link SignerProof} by it. */
  record SignerBody(String signer, String proof) {}

  /** The answer to who signs. */
  record SignerList(List<Signers.Known> signers) {}

  /**
   * Operations on the signers of a pool.
   *
   * @param members know the pool's authorities, whose fingerprints proofs name
   */
  public SignerOperations(Signers signers, Members members, OffLoop offLoop) {
    this.signers = signers;
    this.members = members;
    this.offLoop = offLoop;
  }

  void list(RoutingContext ctx) {
    require(Authentication.callerOf(ctx), Action.READ, NOBODY);
    offLoop
        .call(() -> new SignerList(signers.list(Optional.empty())))
        .onSuccess(list -> Json.send(ctx, 200, list))
        .onFailure(ctx::fail);
  }

  void add(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    require(caller, Action.WRITE, caller.name());
    SignerBody body = Json.read(ctx.body().buffer(), SignerBody.class);
    Signer signer = signer(body.signer());
    offLoop
        .call(
            () -> {
              requireProof(caller.name(), signer, body.proof());
              return signers.add(caller.actor(), signer);
            })
        .onSuccess(known -> Json.send(ctx, 201, known))
        .onFailure(ctx::fail);
  }

  void revoke(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    String subject = ctx.pathParam("subject");
    if (!subject.matches("[0-9a-f]{64}")) {
      throw new ConsoleException(
          Code.INVALID_REQUEST,
          "'" + subject + "' is no key and no digest: expected 64 hexadecimal digits");
    }
    offLoop
        .call(
            () -> {
              require(caller, Action.CHANGE, ownerOf(subject));
              return signers.revoke(subject, caller.actor());
            })
        .onSuccess(known -> Json.send(ctx, 200, known))
        .onFailure(ctx::fail);
  }

  /** Nobody's is what only an operator may revoke: a signed program, or a key not known here. */
  private String ownerOf(String subject) {
    return signers.find(subject).map(Signers.Known::owner).orElse(NOBODY);
  }

  /** Who does not have the key cannot take it for theirs, to revoke it or to stand in its way. */
  private void requireProof(String user, Signer signer, String proof) {
    boolean proved =
        proof != null
            && members.authorities().stream()
                .anyMatch(pool -> new SignerProof(pool.hex(), user, signer).isProvedBy(proof));
    if (!proved) {
      throw new ConsoleException(
          Code.INVALID_REQUEST,
          "the field 'proof' is not the signature of "
              + signer
              + " that gives this key to "
              + user
              + " in this pool; add it with 'gleaner signers add', which makes one");
    }
  }

  private static Signer signer(String text) {
    if (text == null) {
      throw new ConsoleException(
          Code.INVALID_REQUEST, "the field 'signer' is missing: 64 hexadecimal digits");
    }
    try {
      return new Signer(text);
    } catch (SecurityRefusal e) {
      throw new ConsoleException(Code.INVALID_REQUEST, e.getMessage(), e);
    }
  }

  private static void require(Caller caller, Action action, String owner) {
    if (!caller.may(action, Thing.of(Thing.SIGNER, owner))) {
      throw new ConsoleException(
          Code.FORBIDDEN,
          caller.name()
              + " may not do that: submitters add and revoke keys of their own, operators revoke"
              + " all");
    }
  }
}
