package io.gleaner.cli;

import io.gleaner.api.GleanerException;
import io.gleaner.audit.Checkpoint;
import io.gleaner.audit.Evidence;
import io.gleaner.audit.Notary;
import io.gleaner.ledger.Audit;
import io.gleaner.node.Home;
import io.gleaner.signing.Signer;
import io.gleaner.storage.Database;
import io.gleaner.storage.StorageSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Finds what was changed behind the node's back. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Reads ledger and security log from their first lines and says which line was changed,",
      "removed, moved or cut off. Asks the node if one runs, else reads the folder or the database",
      "of --database itself. Exit status 1 if anything is wrong."
    })
final class AuditVerifyCommand implements Callable<Integer> {
  @Mixin private NodeAccess node;

  @Mixin private DatabaseOptions database;

  @Option(
      names = "--signer",
      paramLabel = "KEY",
      description = {
        "a key whose checkpoints in the database count, 64 digits; again for several. Without it",
        "those of everybody count and the keys are printed: compare them"
      })
  private List<String> signers = List.of();

  @Option(
      names = "--checkpoint",
      paramLabel = "FILE",
      description = "checkpoints that were kept elsewhere, as 'audit checkpoint' printed them")
  private Path checkpoints;

  @Option(names = "--json", description = "print JSON")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    Set<Signer> keys = signers.stream().map(Signer::new).collect(Collectors.toSet());
    List<Checkpoint> kept =
        checkpoints == null ? List.of() : Checkpoint.decodeAll(Files.readString(checkpoints));
    JsonNode verdict = verdict(new Evidence(keys, kept));
    if (json) {
      Terminal.json(System.out, verdict);
    } else {
      print(verdict);
    }
    return verdict.path("clean").asBoolean() ? ExitCode.OK.value : ExitCode.FAILED.value;
  }

  private JsonNode verdict(Evidence brought) {
    var server = database.settings();
    if (server.isPresent()) {
      try (Database read = Database.inspect(server.get())) {
        return here(read, withOwn(brought));
      }
    }
    try {
      return there(brought);
    } catch (CommandFailure | GleanerException notThere) {
      boolean unreachable =
          notThere instanceof CommandFailure failure
              ? failure.exitCode() == ExitCode.UNREACHABLE
              : ((GleanerException) notThere).code() == GleanerException.Code.UNREACHABLE;
      if (!unreachable || node.isNamed() || !Files.isDirectory(node.home().database())) {
        throw notThere;
      }
    }
    try (Database read = Database.inspect(StorageSettings.in(node.home().database()))) {
      return here(read, withOwn(brought));
    }
  }

  private JsonNode there(Evidence brought) {
    return node.connect()
        .post(
            "/api/v1/audit/verification",
            Map.of(
                "checkpoints",
                brought.kept().stream().map(Checkpoint::encode).toList(),
                "signers",
                brought.signers().stream().map(Signer::hex).toList()),
            Map.of());
  }

  private static JsonNode here(Database read, Evidence evidence) {
    Audit audit = Audit.of(read.dataSource(), evidence);
    return JsonMapper.shared().valueToTree(Map.of("clean", audit.isClean(), "audit", audit));
  }

  /** With what the folder's node signed last. */
  private Evidence withOwn(Evidence brought) {
    Home home = node.home();
    List<Checkpoint> kept = new ArrayList<>(brought.kept());
    kept.addAll(Notary.kept(home.checkpoints()));
    return new Evidence(brought.signers(), kept);
  }

  private static void print(JsonNode verdict) {
    Set<String> keys = new LinkedHashSet<>();
    for (JsonNode chain : verdict.path("audit").path("chains")) {
      long lines = chain.path("lines").asLong();
      long signed = chain.path("signedLine").asLong();
      System.out.printf(
          "%-9s %d lines, signed up to line %d%s%n",
          chain.path("chain").asString(),
          lines,
          signed,
          lines > signed ? "; " + (lines - signed) + " are covered by no checkpoint" : "");
      for (JsonNode finding : chain.path("findings")) {
        System.out.println("  " + finding.path("what").asString());
      }
      chain.path("signers").forEach(signer -> keys.add(signer.path("hex").asString()));
    }
    for (JsonNode violation : verdict.path("audit").path("violations")) {
      System.out.println("  " + violation.asString());
    }
    keys.forEach(key -> System.out.println("signed by " + key));
    System.out.println(
        verdict.path("clean").asBoolean()
            ? "nothing was changed"
            : "this is not what was written: see above");
  }
}
