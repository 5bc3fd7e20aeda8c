package io.gleaner.rest;

import io.gleaner.authority.Certificates;
import io.gleaner.authority.IssuedCertificate;
import io.gleaner.bag.Bags;
import io.gleaner.enrolment.Members;
import io.gleaner.http.Json;
import io.gleaner.http.OffLoop;
import io.gleaner.http.Requests;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.Caller;
import io.gleaner.signing.ResultStatement;
import io.gleaner.verification.Receipts;
import io.gleaner.verification.Receipts.Receipt;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/** What devices signed of the results of a task, with all that is needed to check it elsewhere. */
public final class SignatureOperations {
  private final VisibleBags visible;
  private final Receipts receipts;
  private final Members members;
  private final OffLoop offLoop;

  /**
   * A device's word for one result.
   *
   * @param accepted whether this is the result that the bag has
   * @param statement what is signed, to the byte
   * @param signature ECDSA with SHA-256 in DER form, in hexadecimal digits
   * @param certificate the device's, PEM; empty if the pool has lost it
   * @param authority the one that issued it, PEM; empty if the pool has lost it
   */
  record Signature(
      int replica,
      int attempt,
      String launcherId,
      String sha256,
      boolean accepted,
      String statement,
      String signature,
      String certificate,
      String authority) {}

  record SignatureList(String bag, int task, List<Signature> signatures) {}

  public SignatureOperations(
      VisibleBags visible, Receipts receipts, Members members, OffLoop offLoop) {
    this.visible = visible;
    this.receipts = receipts;
    this.members = members;
    this.offLoop = offLoop;
  }

  void list(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    String id = ctx.pathParam("id");
    int task = Requests.number("task", ctx.pathParam("task"), 0, Integer.MAX_VALUE);
    offLoop
        .call(
            () -> {
              String bag = visible.require(caller, id).jobId();
              Bags.TaskOutcome outcome = visible.requireOutcome(caller, id, task);
              return new SignatureList(
                  bag,
                  task,
                  receipts.of(bag, task).stream()
                      .map(receipt -> signature(bag, outcome, receipt))
                      .toList());
            })
        .onSuccess(list -> Json.send(ctx, 200, list))
        .onFailure(ctx::fail);
  }

  private Signature signature(String bag, Bags.TaskOutcome outcome, Receipt receipt) {
    Optional<IssuedCertificate> device = members.certificate(receipt.certificate());
    return new Signature(
        receipt.replica(),
        receipt.attempt(),
        receipt.launcherId(),
        receipt.sha256(),
        outcome.outputDigest().filter(receipt.sha256()::equals).isPresent(),
        statement(bag, outcome.taskIndex(), receipt),
        receipt.signature(),
        pem(device.map(IssuedCertificate::certificate)),
        pem(device.flatMap(issued -> members.authority(issued.issuer()))));
  }

  private static String statement(String bag, int task, Receipt receipt) {
    byte[] text =
        new ResultStatement(bag, task, receipt.replica(), receipt.attempt(), receipt.sha256())
            .encode();
    return new String(text, StandardCharsets.US_ASCII);
  }

  private static String pem(Optional<X509Certificate> certificate) {
    return certificate.map(found -> Certificates.pem(List.of(found))).orElse("");
  }
}
