package io.gleaner.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.authority.Authority;
import io.gleaner.authority.AuthoritySettings;
import io.gleaner.authority.IssuedCertificate;
import io.gleaner.authority.P256;
import io.gleaner.authority.PoolIdentity;
import io.gleaner.authority.PoolRegistry;
import io.gleaner.authority.PoolRole;
import io.gleaner.authority.SigningRequest;
import io.gleaner.authority.SqlAuthorityKeys;
import io.gleaner.authority.SqlPoolRegistry;
import io.gleaner.bag.TaskRegister;
import io.gleaner.blob.FileBlobStore;
import io.gleaner.secrets.Secret;
import io.gleaner.signing.Digests;
import io.gleaner.signing.ResultStatement;
import io.gleaner.storage.Database;
import io.gleaner.storage.StorageSettings;
import io.gleaner.tuple.Outcome;
import io.gleaner.tuple.ResultEntry;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A result counts with the signature of the launcher's own certificate only. */
@Timeout(60)
@Tag("S8")
class DeviceSignaturesTest {
  private static final byte[] OUTPUT = {42};
  private static final TaskRegister.Terms TERMS =
      new TaskRegister.Terms("alice", 1, 3, 1_000_000, 1_000);

  @TempDir Path folder;
  private Database database;
  private PoolRegistry registry;
  private DeviceSignatures signatures;
  private final KeyPair key = P256.generate();
  private IssuedCertificate laptop;

  @BeforeEach
  void aPoolWithALauncher() {
    database = Database.open(StorageSettings.in(folder.resolve("db")));
    registry = new SqlPoolRegistry(database.dataSource());
    signatures = new DeviceSignatures(registry);
    laptop = issue(PoolRole.DEVICE, "bob", "laptop", key);
  }

  @AfterEach
  void closes() {
    database.close();
  }

  @Test
  void aSignatureHoldsForItsResultItsAttemptAndItsLauncherOnly() throws Exception {
    assertThat(signatures.refusal(signed(), "bob")).isEmpty();
    assertThat(signatures.refused()).isZero();

    ResultEntry unsigned = signed();
    unsigned.signature = null;
    refused(unsigned, "there is no signature");
    ResultEntry replayed = signed();
    replayed.attempt = 2;
    refused(replayed, "is not that of the device's certificate");
    ResultEntry moved = signed();
    moved.taskIndex = 8;
    refused(moved, "is not that of the device's certificate");
    ResultEntry changed = signed();
    changed.outputDigest = Digests.sha256Hex("something else");
    refused(changed, "is not that of the device's certificate");
    ResultEntry bent = signed();
    bent.signature = new byte[] {1, 2, 3};
    refused(bent, "is not that of the device's certificate");
    ResultEntry unknown = signed();
    unknown.certificate = "0".repeat(32);
    refused(unknown, "is none of laptop");
    ResultEntry ofAnother = signed();
    ofAnother.launcherId = "desktop";
    refused(ofAnother, "is none of desktop");
    assertThat(signatures.refusal(signed(), "eve")).isPresent();
    ResultEntry ofAProgram = signed();
    ofAProgram.certificate = issue(PoolRole.APPLICATION, "bob", "laptop-app", key).serial();
    refused(ofAProgram, "is none of laptop");
    assertThat(signatures.refused()).isEqualTo(9);
  }

  @Test
  void whatTheVerifierAcceptsCanBeCheckedLaterByAnybody() throws Exception {
    Contracts.Terms contract = new Contracts.Terms("c", "laptop", "bob", "b-1", 10);
    FileBlobStore blobs = new FileBlobStore(folder.resolve("blobs"), 1000);
    Examiner examiner = new Examiner(id -> Optional.of(contract), blobs, signatures);
    ResultEntry result = signed();
    Finding finding = examiner.examine(result, TERMS, new Quorum(1, 0), Optional.empty());
    assertThat(finding).isInstanceOf(Finding.Claimed.class);
    ResultEntry forged = signed();
    forged.replica = 1;
    assertThat(examiner.examine(forged, TERMS, new Quorum(2, 0), Optional.empty()))
        .isInstanceOf(Finding.Refused.class);

    ClaimStore store = new ClaimStore(database.dataSource());
    Claim claim = ((Finding.Claimed) finding).claim();
    store.add(List.of(claim), List.of(result));
    store.forget("b-1");

    List<Receipts.Receipt> kept = new Receipts(database.dataSource()).of("b-1", 7);
    assertThat(kept).hasSize(1);
    Receipts.Receipt receipt = kept.get(0);
    assertThat(receipt.sha256()).isEqualTo(Digests.sha256Hex(OUTPUT));
    new ResultStatement("b-1", 7, receipt.replica(), receipt.attempt(), receipt.sha256())
        .require(
            registry.certificate(receipt.certificate()).orElseThrow().certificate(),
            HexFormat.of().parseHex(receipt.signature()));
    laptop.certificate().verify(registry.authority(laptop.issuer()).orElseThrow().getPublicKey());
  }

  private void refused(ResultEntry result, String why) throws Exception {
    assertThat(signatures.refusal(result, "bob"))
        .hasValueSatisfying(
            sentence -> assertThat(sentence).contains("it is not signed by its device", why));
  }

  private ResultEntry signed() {
    ResultEntry result = ResultEntry.ofJob("b-1");
    result.taskIndex = 7;
    result.replica = 0;
    result.attempt = 1;
    result.launcherId = "laptop";
    result.contractId = "c";
    result.outcome = Outcome.COMPLETED;
    result.output = OUTPUT;
    result.outputDigest = Digests.sha256Hex(OUTPUT);
    result.certificate = laptop.serial();
    result.signature =
        new ResultStatement("b-1", 7, 0, 1, result.outputDigest).sign(key.getPrivate());
    return result;
  }

  private IssuedCertificate issue(PoolRole role, String owner, String id, KeyPair keys) {
    Authority authority =
        Authority.open(
            AuthoritySettings.of("test"),
            registry,
            new SqlAuthorityKeys(database.dataSource()),
            Secret.of("passphrase of a test"),
            InstantSource.system());
    return authority.issue(
        new PoolIdentity("test", role, owner, id),
        SigningRequest.decode(SigningRequest.encode(keys)));
  }
}
