package io.gleaner.puller;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.leasing.Ticker;
import io.gleaner.signing.BundleManifest;
import io.gleaner.signing.Digests;
import io.gleaner.signing.SeenBundles;
import io.gleaner.signing.Signer;
import io.gleaner.signing.SignerKey;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.TaskKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whose programs an owner lets run. */
@Timeout(60)
@Tag("S1")
class TrustedProgramsTest {
  @TempDir Path folder;

  @Test
  void whoNamesSignersGetsNoWebAssemblyOfOthersEither() throws Exception {
    SignerKey stranger = SignerKey.create(folder.resolve("stranger"));
    Signer friend = SignerKey.create(folder.resolve("friend")).signer();
    JobEntry job = wasm(stranger);
    try (TestSpace space = TestSpace.open()) {
      assertThat(refusal(space, Set.of(), job)).isEmpty();
      assertThat(refusal(space, Set.of(friend), job))
          .hasValueSatisfying(why -> assertThat(why).contains("does not trust its signer"));
      assertThat(refusal(space, Set.of(friend, stranger.signer()), job)).isEmpty();
    }
  }

  private Optional<String> refusal(TestSpace space, Set<Signer> named, JobEntry job)
      throws Exception {
    SeenBundles seen = new SeenBundles(folder.resolve("seen"));
    return new TrustedPrograms(space.space(), named, seen, Ticker.system()).refusal(job);
  }

  private static JobEntry wasm(SignerKey signer) {
    JobEntry job = JobEntry.ofJob("b-1");
    job.kind = TaskKind.WASM;
    job.entryPoint = "main";
    job.bundleDigest = Digests.sha256Hex("a module");
    job.manifest =
        signer
            .sign(
                new BundleManifest(
                    "module",
                    1,
                    BundleManifest.Kind.WASM,
                    job.entryPoint,
                    new BundleManifest.Needs(0, 0, 1),
                    List.of(new BundleManifest.Part(BundleManifest.PROGRAM, 8, job.bundleDigest))))
            .encode();
    return job;
  }
}
