package io.gleaner.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.node.GleanerCommand.Ran;
import io.gleaner.node.tasks.SquareTask;
import io.gleaner.signing.SignerKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands as people run them: processes that talk to a running node, and their exit codes. */
@Timeout(180)
class CommandsTest {
  @TempDir private Path folder;

  @Test
  void aBagIsSubmittedWatchedListedFetchedAndCancelled() throws Exception {
    try (TestMarket market = TestMarket.start(TestMarket.seed())) {
      market.launcher("olga").joins();
      Path bag = squares("squares", 1, 10, 10);

      Ran submitted = gleaner(market, "submit", bag.toString(), "--wait", "--json");
      assertThat(submitted.exitCode()).as(submitted.err()).isZero();
      assertThat(submitted.json().path("completed").asInt()).isEqualTo(10);

      Ran listed = gleaner(market, "bags", "--json");
      assertThat(listed.json().path("bags").get(0).path("name").asString()).isEqualTo("squares");

      Path results = folder.resolve("results");
      Ran fetched = gleaner(market, "results", "squares", "--to", results.toString());
      assertThat(fetched.exitCode()).isZero();
      assertThat(Files.readString(results.resolve("task-000006"))).isEqualTo("49");
      Ran nowhere =
          gleaner(market, "results", "squares", "--to", results.resolve("results.json").toString());
      assertThat(nowhere.exitCode()).isEqualTo(2);
      assertThat(nowhere.err()).contains("results.json is a file").doesNotContain("Exception");

      Path slow = squares("slow", 1, 500, 100);
      assertThat(gleaner(market, "submit", slow.toString()).exitCode()).isZero();
      Ran cancelled = gleaner(market, "cancel", "slow", "--json");
      assertThat(cancelled.json().path("state").asString()).isEqualTo("CANCELLED");

      Ran status = gleaner(market, "status");
      assertThat(status.out()).contains("olga-desk", "call-market");
    }
  }

  @Test
  void whatCannotBeDoneSaysWhyAndInItsExitCode() throws Exception {
    try (TestMarket market = TestMarket.start(TestMarket.seed())) {
      Path broken = folder.resolve("broken.yaml");
      Files.writeString(broken, "name: x\nkind: jva\nbudgt: 5\n");
      Ran refused = gleaner(market, "submit", broken.toString());
      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(refused.err())
          .contains("line 2", "'jva' is not java, wasm or command")
          .contains("line 3", "did you mean 'budget'?")
          .doesNotContain("Exception");

      assertThat(gleaner(market, "cancel", "nosuch").exitCode()).isEqualTo(4);
      assertThat(gleaner(market, "frobnicate").exitCode()).isEqualTo(2);
      assertThat(gleaner(market, "up", "--console-certificate", "none.pem").err())
          .contains("go together; name both");
      for (String command :
          List.of(
              "up", "submit", "bags", "results", "cancel", "status", "invite", "members",
              "revoke")) {
        Ran help = gleaner(market, command, "--help");
        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains("--json");
      }
    }
  }

  @Test
  @Tag("S1")
  void aSignedProgramRunsOnceItsSignerIsKnownAndNotWhenItIsRevoked() throws Exception {
    try (TestMarket market = TestMarket.start(TestMarket.seed())) {
      market.launcher("olga").joins();
      Path bag = squares("squares", 1, 4, 0);
      String key = folder.resolve("key").toString();

      Ran signed = GleanerCommand.run(folder, folder, "sign", bag.toString(), "--key", key);
      assertThat(signed.exitCode()).as(signed.err()).isZero();
      String signer = SignerKey.read(folder.resolve("key")).signer().hex();
      assertThat(signed.out()).contains("signer " + signer);
      Ran unknown = gleaner(market, "submit", bag.toString());
      assertThat(unknown.exitCode()).isEqualTo(1);
      assertThat(unknown.err()).contains("nobody vouches for its signer " + signer);

      assertThat(gleaner(market, "signers", "add", "--key", key).exitCode()).isZero();
      Ran ran = gleaner(market, "submit", bag.toString(), "--wait", "--json");
      assertThat(ran.json().path("completed").asInt()).as(ran.err()).isEqualTo(4);

      String id = ran.json().path("id").asString();
      String receipts = folder.resolve("receipts").toString();
      Ran checked = gleaner(market, "audit", "result", id + "/0", "--to", receipts);
      assertThat(checked.exitCode()).as(checked.err()).isZero();
      assertThat(checked.out())
          .contains("olga-desk signed, and it holds; the bag's result")
          .contains("gleaner://gleaner/device/olga/olga-desk");
      assertThat(folder.resolve("receipts")).isDirectoryContaining("glob:**/*olga-desk.sig");

      Files.write(folder.resolve("squares.jar"), new byte[] {1}, StandardOpenOption.APPEND);
      Ran changed = gleaner(market, "submit", bag.toString());
      assertThat(changed.err()).contains("its manifest names other bytes; sign it again");

      Ran revoked = gleaner(market, "signers", "revoke", signer);
      assertThat(revoked.exitCode()).as(revoked.err()).isZero();
      assertThat(gleaner(market, "signers").out()).contains(signer, "revoked");
      GleanerCommand.run(folder, folder, "sign", bag.toString(), "--key", key);
      assertThat(gleaner(market, "submit", bag.toString()).err()).contains("or it was revoked");
    }
  }

  @Test
  void aNodeThatIsNotThereIsSaidSo() throws Exception {
    Ran ran = GleanerCommand.run(folder, folder.resolve("empty"), "bags");
    assertThat(ran.exitCode()).isEqualTo(3);
    assertThat(ran.err()).contains("gleaner up");
  }

  private Path squares(String name, int from, int to, int spinMillis) throws IOException {
    Files.write(folder.resolve("squares.jar"), TestBundle.of(SquareTask.class));
    Path bag = folder.resolve(name + ".yaml");
    Files.writeString(
        bag,
        """
        name: %s
        kind: java
        bundle: squares.jar
        entry_point: %s
        parameters:
          number: {range: {from: %d, to: %d}}
          spin_millis: %d
        estimate: {units_per_task: 0.1}
        budget: 100
        """
            .formatted(name, SquareTask.class.getName(), from, to, spinMillis));
    return bag;
  }

  private Ran gleaner(TestMarket market, String... arguments) throws Exception {
    return GleanerCommand.run(folder, market.node().settings().home().folder(), arguments);
  }
}
