package io.gleaner.cli;

import io.gleaner.api.rest.RestClient;
import io.gleaner.authority.Certificates;
import io.gleaner.authority.Fingerprint;
import io.gleaner.authority.PoolIdentity;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.signing.ResultStatement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Checks who signed the result of a task. */
@Command(
    name = "result",
    mixinStandardHelpOptions = true,
    description = {
      "Says which machine signed the result of a task, and whether that holds, checked here.",
      "With --to, writes what anybody needs to check it again without this program."
    })
final class AuditResultCommand implements Callable<Integer> {
  @Mixin private NodeAccess node;

  @Parameters(
      paramLabel = "<bag>/<task>",
      description = "id of the bag, beginning of it, or name; and the index of the task")
  private String which;

  @Option(
      names = "--to",
      paramLabel = "FOLDER",
      description = "write statements, signatures and certificates there")
  private Path folder;

  @Option(names = "--json", description = "print JSON")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    int slash = which.lastIndexOf('/');
    if (slash < 1 || !which.substring(slash + 1).matches("[0-9]{1,9}")) {
      throw new CommandFailure(
          ExitCode.USAGE, "'" + which + "' is no result: expected <bag>/<task>, as in b-12ab/0");
    }
    RestClient api = node.connect();
    String bag = RemoteBag.find(api, which.substring(0, slash)).id();
    int task = Integer.parseInt(which.substring(slash + 1));
    JsonNode answer = api.get("/api/v1/bags/" + bag + "/results/" + task + "/signatures");
    JsonNode signatures = answer.path("signatures");
    if (json) {
      Terminal.json(System.out, answer);
    }
    boolean allHold = !signatures.isEmpty();
    for (JsonNode each : signatures) {
      String trouble = trouble(bag, task, each);
      allHold &= trouble.isEmpty();
      if (!json) {
        say(each, trouble);
      }
      if (folder != null) {
        write(each);
      }
    }
    if (signatures.isEmpty() && !json) {
      System.out.println("nobody signed a result of task " + task + " of bag " + bag);
    }
    return (allHold ? ExitCode.OK : ExitCode.FAILED).value;
  }

  private static void say(JsonNode signature, String trouble) {
    System.out.println(
        "replica "
            + signature.path("replica").asInt()
            + ", attempt "
            + signature.path("attempt").asInt()
            + ": "
            + signature.path("launcherId").asString()
            + (trouble.isEmpty() ? " signed, and it holds" : ": " + trouble)
            + (signature.path("accepted").asBoolean() ? "; the bag's result" : ""));
    System.out.println("  result    " + signature.path("sha256").asString());
    String certificate = signature.path("certificate").asString("");
    String authority = signature.path("authority").asString("");
    if (!certificate.isEmpty() && !authority.isEmpty()) {
      X509Certificate device = read(certificate);
      System.out.println(
          "  signed by " + PoolIdentity.of(device).map(PoolIdentity::uri).orElse("nobody"));
      System.out.println("  serial    " + Certificates.serial(device));
      System.out.println("  authority " + Fingerprint.of(read(authority)));
    }
  }

  /** What is wrong with it, by what stands there and nobody's word; empty if nothing is. */
  private static String trouble(String bag, int task, JsonNode signature) {
    try {
      String launcher = signature.path("launcherId").asString();
      X509Certificate device = read(signature.path("certificate").asString(""));
      if (PoolIdentity.of(device).filter(held -> held.id().equals(launcher)).isEmpty()) {
        return "the certificate is not that of " + launcher;
      }
      new ResultStatement(
              bag,
              task,
              signature.path("replica").asInt(),
              signature.path("attempt").asInt(),
              signature.path("sha256").asString())
          .require(device, HexFormat.of().parseHex(signature.path("signature").asString()));
      device.verify(read(signature.path("authority").asString("")).getPublicKey());
      return "";
    } catch (SecurityRefusal | IllegalArgumentException e) {
      return e.getMessage();
    } catch (GeneralSecurityException e) {
      return "its certificate is not of the authority that is named: " + e.getMessage();
    }
  }

  private void write(JsonNode signature) throws IOException {
    Files.createDirectories(folder);
    String name =
        "replica-"
            + signature.path("replica").asInt()
            + "-attempt-"
            + signature.path("attempt").asInt()
            + "-"
            + signature.path("launcherId").asString().replaceAll("[^A-Za-z0-9._-]", "_");
    put(name + ".txt", signature.path("statement").asString());
    put(name + ".pem", signature.path("certificate").asString());
    put(name + ".authority.pem", signature.path("authority").asString());
    Files.write(
        folder.resolve(name + ".sig"),
        HexFormat.of().parseHex(signature.path("signature").asString()));
  }

  private void put(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text, StandardCharsets.US_ASCII);
  }

  private static X509Certificate read(String pem) {
    return Certificates.decode(pem.getBytes(StandardCharsets.US_ASCII)).get(0);
  }
}
