package io.gleaner.cli;

import io.gleaner.api.rest.RestClient;
import io.gleaner.authority.Fingerprint;
import io.gleaner.signing.Signer;
import io.gleaner.signing.SignerKey;
import io.gleaner.signing.SignerProof;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Keys that sign programs. */
@Command(
    name = "signers",
    mixinStandardHelpOptions = true,
    description = "Lists keys whose signatures of programs the pool vouches for; adds, revokes.")
final class SignersCommand implements Callable<Integer> {
  private static final String PATH = "/api/v1/signers";

  @Mixin private NodeAccess node;

  @Option(names = "--json", description = "print JSON")
  private boolean json;

  @Override
  public Integer call() {
    Terminal.list(
        System.out,
        node.connect().get(PATH),
        json,
        "signers",
        List.of("KEY OR SIGNED PROGRAM", "OWNER", ""),
        known ->
            List.of(
                known.path("subject").asString(),
                known.path("owner").asString(),
                known.path("revoked").asBoolean() ? "revoked" : ""));
    return ExitCode.OK.value;
  }

  @Command(
      name = "add",
      mixinStandardHelpOptions = true,
      description =
          "Lets the pool vouch for your key: machines that trust the pool run what it signs. The"
              + " key signs that it is yours; it is nobody else's then.")
  int add(
      @Mixin NodeAccess access,
      @Option(
              names = "--key",
              paramLabel = "FILE",
              description =
                  "your key; made if it is not there (default: my-signer-key in ~/.gleaner)")
          Path key,
      @Option(names = "--json", description = "print JSON") boolean asJson)
      throws IOException {
    SignerKey mine = SignerKey.readOrCreate(SignCommand.keyFile(key));
    Signer signer = mine.signer();
    RestClient client = access.connect();
    String user = client.get("/api/v1/account").path("user").asString();
    String authority = client.get("/api/v1/authority").path("fingerprints").path(0).asString();
    String proof = SignerProof.make(Fingerprint.parse(authority).hex(), user, mine);
    JsonNode known = client.post(PATH, Map.of("signer", signer.hex(), "proof", proof), Map.of());
    if (asJson) {
      Terminal.json(System.out, known);
    } else {
      System.out.println("the pool vouches for the signer " + signer + " of " + user);
    }
    return ExitCode.OK.value;
  }

  @Command(
      name = "revoke",
      mixinStandardHelpOptions = true,
      description = {
        "Revokes a key, or a signed program by its digest, for good.",
        "Launchers stop what runs of it within seconds."
      })
  int revoke(
      @Mixin NodeAccess access,
      @Parameters(paramLabel = "<key or digest>", description = "64 hexadecimal digits")
          String subject,
      @Option(names = "--json", description = "print JSON") boolean asJson) {
    if (!subject.matches("[0-9a-f]{64}")) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "'"
              + subject
              + "' is no key and no digest: expected 64 hexadecimal digits, as"
              + " 'gleaner signers' and 'gleaner sign' print them");
    }
    JsonNode known = access.connect().post(PATH + "/" + subject + "/revoke", Map.of(), Map.of());
    if (asJson) {
      Terminal.json(System.out, known);
    } else {
      System.out.println("revoked: " + subject);
    }
    return ExitCode.OK.value;
  }
}
