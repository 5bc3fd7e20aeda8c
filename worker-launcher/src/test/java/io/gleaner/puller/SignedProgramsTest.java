package io.gleaner.puller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.sandbox.programs.Programs;
import io.gleaner.signing.Digests;
import io.gleaner.signing.SignerKey;
import io.gleaner.tuple.ContractEntry;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.OfferEntry;
import io.gleaner.tuple.ResultEntry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whose programs a launcher runs. */
@Timeout(150)
@Tag("S1")
class SignedProgramsTest extends WithMarket {

  /** What a launcher that trusts nobody with this bag leaves alone: its tasks. */
  private void doesNotRun() throws Exception {
    try (Launcher launcher = joins()) {
      await()
          .during(Duration.ofMillis(1500))
          .until(() -> waiting().size() == 1 && launcher.status().running().isEmpty());
    }
    assertThat(results()).isEmpty();
  }

  @Test
  void aProgramThatNobodySignedDoesNotRun() throws Exception {
    manifest = new byte[0];
    bag(Programs.Echo.class, 1, Map.of("word", "tile"));
    doesNotRun();
  }

  @Test
  void aProgramOtherThanTheSignedOneDoesNotRun() throws Exception {
    manifest = signs(signer, 1, Programs.Sleepy.class).encode();
    bag(Programs.Echo.class, 1, Map.of("word", "tile"));
    doesNotRun();
  }

  @Test
  void aManifestThatWasChangedIsNoManifest() throws Exception {
    manifest = signs(signer, 1, Programs.Echo.class).encode();
    manifest[manifest.length - 2] ^= 1;
    bag(Programs.Echo.class, 1, Map.of("word", "tile"));
    doesNotRun();
  }

  @Test
  void aSignerForWhomNobodyVouchesIsNotTrusted() throws Exception {
    SignerKey stranger = SignerKey.create(temp.resolve("stranger"));
    manifest = signs(stranger, 1, Programs.Echo.class).encode();
    bag(Programs.Echo.class, 1, Map.of("word", "tile"));
    doesNotRun();
  }

  @Test
  void anOlderVersionThanTheMachineHasRunIsRefused() throws Exception {
    manifest = signs(signer, 2, Programs.Echo.class).encode();
    bag(Programs.Echo.class, 1, Map.of("word", "tile"));
    try (Launcher launcher = joins()) {
      await().until(() -> results().size() == 1 && launcher.status().running().isEmpty());
    }
    assertThat(space.takeIfExists(JobEntry.ofJob(JOB), null, 0)).isNotNull();
    assertThat(space.takeIfExists(ContractEntry.ofLauncher("alice"), null, 0)).isNotNull();
    assertThat(space.takeIfExists(ResultEntry.ofJob(JOB), null, 0)).isNotNull();
    manifest = signs(signer, 1, Programs.Echo.class).encode();
    bag(Programs.Echo.class, 1, Map.of("word", "tile"));
    doesNotRun();
    try (Launcher launcher = joins()) {
      OfferEntry told = OfferEntry.ofLauncher("alice");
      told.refused = List.of(Digests.sha256Hex(manifest));
      await().until(() -> space.readIfExists(told, null, 0) != null);
      assertThat(launcher.status().running()).isEmpty();
    }
  }

  @Test
  void aSignerRevokedWhileATaskRunsStopsIt() throws Exception {
    bag(Programs.Spin.class, 1, Map.of());
    try (Launcher launcher = joins()) {
      runs(launcher);
      poolSays(signer.signer().hex(), true);
      await().until(() -> waiting().size() == 1 && launcher.status().running().isEmpty());
    }
    assertThat(results()).isEmpty();
  }

  @Test
  void anOwnerWhoNamesSignersRunsTheirProgramsAndNoOthers() throws Exception {
    SignerKey friend = SignerKey.create(temp.resolve("friend"));
    LauncherSettings choosy = settings().withSigners(Set.of(friend.signer()));
    bag(Programs.Echo.class, 1, Map.of("word", "tile"));
    try (Launcher launcher = Launcher.start(choosy, space, blobs, "alice")) {
      await()
          .during(Duration.ofMillis(1500))
          .until(() -> waiting().size() == 1 && launcher.status().running().isEmpty());
      OfferEntry offer = (OfferEntry) space.readIfExists(OfferEntry.ofLauncher("alice"), null, 0);
      assertThat(offer.signers).containsExactly(friend.signer().hex());
    }
    assertThat(space.takeIfExists(JobEntry.ofJob(JOB), null, 0)).isNotNull();
    assertThat(space.takeIfExists(ContractEntry.ofLauncher("alice"), null, 0)).isNotNull();
    manifest = signs(friend, 1, Programs.Echo.class).encode();
    bag(Programs.Echo.class, 1, Map.of("word", "tile"));
    try (Launcher launcher = Launcher.start(choosy, space, blobs, "alice")) {
      await().until(() -> launcher.status().completed() >= 1);
    }
  }
}
