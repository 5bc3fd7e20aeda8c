package io.gleaner.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.api.Gleaner;
import io.gleaner.api.GleanerException;
import io.gleaner.api.rest.Patience;
import io.gleaner.api.rest.RestClient;
import io.gleaner.authority.PoolRole;
import io.gleaner.bag.Bags.Summary;
import io.gleaner.enrolment.JoinToken;
import io.gleaner.gateway.ConnectSettings;
import io.gleaner.gateway.GatewayAddress;
import io.gleaner.gateway.GatewayConnection;
import io.gleaner.gateway.PoolMember;
import io.gleaner.identity.Role;
import io.gleaner.node.GleanerCommand.Ran;
import io.gleaner.secrets.Secret;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.ResultEntry;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jini.core.lease.Lease;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Machines and programs that join a running node, and who may not: real processes and ports. */
@Timeout(240)
class MembersTest {
  @TempDir private Path folder;

  @Test
  @Tag("S2")
  void aRevokedDeviceIsCutOffAndItsTaskRunsElsewhere() throws Exception {
    try (TestMarket market = TestMarket.start(TestMarket.seed())) {
      market.story(
          () -> {
            TestLauncher olga = market.launcher("olga").joins();
            Summary bag = market.submits("ada", 1, 4_000);
            market.awaits(bag).isRunningOn(olga);

            market.node().members().revoke("olga-desk", "lost on a train");

            assertThat(olga.ends()).as(olga.tells()).isEqualTo(4);
            assertThat(olga.tells()).contains("was revoked: lost on a train");
            market.until(
                "its contracts have ended",
                () ->
                    market.node().market().contracts().stream()
                        .noneMatch(each -> each.launcherId().equals(olga.id())));
            TestLauncher otto = market.launcher("otto").joins();
            market.awaits(bag).isComplete();
            market.untilBalance("owner/olga", 0);
            assertThat(market.earnedBy(otto)).isPositive();
            olga.startsWithoutToken();
            assertThat(olga.ends()).as(olga.tells()).isEqualTo(4);
            assertThat(gleaner(market, "members").out())
                .containsPattern("olga-desk +device +olga .*lost on a train")
                .containsPattern("otto-desk +device +otto");
          });
    }
  }

  @Test
  @Tag("S7")
  void aTokenMakesOneMemberAndNoMore() throws Exception {
    try (TestMarket market = TestMarket.startInMemory(TestMarket.seed())) {
      Ran invited = gleaner(market, "invite", "--name", "lab-1", "--json");
      assertThat(invited.exitCode()).as(invited.err()).isZero();
      Secret token = Secret.of(invited.json().path("token").asString());
      String gateway = invited.json().path("gateway").asString();
      try (TestLauncher first = new TestLauncher(gateway, token, folder.resolve("first"));
          TestLauncher second = new TestLauncher(gateway, token, folder.resolve("second"))) {
        first.starts();
        market.until("lab-1 is there", () -> isThere(market, "lab-1"));
        second.starts();
        assertThat(second.ends()).isEqualTo(4);
        assertThat(second.tells())
            .contains("another key has used this join token already")
            .contains("revoke lab-1");
        first.isKilled();
        Files.delete(folder.resolve("first/token"));
        first.startsWithoutToken();
        market.until("it came back by its certificate", first::hasJoined);
      }
      market.node().newUser("eve", Set.of(Role.OWNER));
      Secret evesToken = market.node().apiTokens().issue("eve", Duration.ofHours(1));
      RestClient eve =
          new RestClient(
              URI.create(market.node().addresses().console()), evesToken, Patience.usual());
      assertThatThrownBy(
              () -> eve.post("/api/v1/members", Map.of("name", "lab-1", "again", true), Map.of()))
          .hasMessageContaining("'lab-1' is not a device of eve")
          .hasMessageContaining("a name never changes hands");
      Ran unknown = gleaner(market, "revoke", "lab-2");
      assertThat(unknown.exitCode()).isEqualTo(4);
      assertThat(unknown.err()).contains("no member of the pool is called 'lab-2'");
      Ran revoked = gleaner(market, "revoke", "lab-1", "--reason", "sold");
      assertThat(revoked.out()).contains("lab-1, a device of admin, is revoked: sold");
      Ran taken = gleaner(market, "invite", "--name", "lab-1");
      assertThat(taken.exitCode()).isEqualTo(1);
      assertThat(taken.err()).contains("'lab-1' is or was a member of the pool");
      Ran wrong = gleaner(market, "invite", "--role", "king");
      assertThat(wrong.exitCode()).isEqualTo(2);
      assertThat(wrong.err())
          .contains(
              "'king' is no role that can join; expected device or browser (lend their time), or application");
    }
  }

  @Test
  @Tag("S3")
  void aDeviceSubmitsNothingAndAProgramSeesNoResultsOfOthers() throws Exception {
    try (TestMarket market = TestMarket.startInMemory(TestMarket.seed());
        GatewayConnection device = member(market, PoolRole.DEVICE, "eve");
        GatewayConnection program = member(market, PoolRole.APPLICATION, "eve");
        TupleSpace asDevice = device.space("market");
        TupleSpace asProgram = program.space("ada/notes")) {
      assertThatThrownBy(() -> asDevice.write(JobEntry.ofJob("b-1"), null, Lease.FOREVER))
          .isInstanceOf(SecurityException.class);
      assertThatThrownBy(() -> asProgram.read(new ResultEntry(), null, 0))
          .isInstanceOf(SecurityException.class);
      market.node().newUser("ada", Set.of(Role.SUBMITTER));
      Summary bag = market.submits("ada", 1, 1);
      market.node().newUser("eve", Set.of(Role.SUBMITTER));
      try (Gleaner eve = market.connects("eve")) {
        assertThatThrownBy(() -> eve.bag(bag.jobId()).progress())
            .isInstanceOfSatisfying(
                GleanerException.class,
                refusal -> assertThat(refusal.code()).isEqualTo(GleanerException.Code.NOT_FOUND));
      }
    }
  }

  private GatewayConnection member(TestMarket market, PoolRole role, String user) {
    List<GatewayAddress> gateway =
        List.of(GatewayAddress.parse(market.node().addresses().gateway()));
    JoinToken token = market.invites(role, user).token();
    PoolMember member =
        PoolMember.join(folder.resolve(role.text()), gateway, token, InstantSource.system());
    return GatewayConnection.connect(gateway, member.context(), ConnectSettings.usual());
  }

  private static boolean isThere(TestMarket market, String launcher) {
    return market.node().market().launchers().stream()
        .anyMatch(each -> each.launcherId().equals(launcher));
  }

  private Ran gleaner(TestMarket market, String... arguments) throws Exception {
    return GleanerCommand.run(folder, market.node().settings().home().folder(), arguments);
  }
}
