package io.gleaner.signing;

import static io.gleaner.secrets.Refused.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import io.gleaner.signing.BundleManifest.Kind;
import io.gleaner.signing.BundleManifest.Needs;
import io.gleaner.signing.BundleManifest.Part;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@Tag("S1")
class BundlesTest {
  @TempDir Path folder;
  private final Set<String> revoked = new HashSet<>();
  private SignerKey key;
  private SeenBundles seen;
  private Path part;

  @BeforeEach
  void aSignerAndAPart() throws Exception {
    key = SignerKey.create(folder.resolve("signer.key"));
    seen = new SeenBundles(folder.resolve("seen"));
    part = Files.writeString(folder.resolve("main.wasm"), "code");
  }

  @Test
  void aSignedBundleIsReadAsItWasWritten() throws Exception {
    SignedManifest signed = key.sign(bundle(3, Kind.JAVA));
    assertThat(SignedManifest.decode(signed.encode())).isEqualTo(signed);
    assertThat(SignerKey.read(folder.resolve("signer.key")).signer()).isEqualTo(key.signer());
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("signer.key"))))
        .isEqualTo("rw-------");
    assertThat(new String(signed.encode(), StandardCharsets.US_ASCII))
        .startsWith("gleaner-bundle: 1\nname: primes\nversion: 3\nkind: java\nentry: main\n");
    assertRefused(
        Code.INVALID, "not written over", () -> SignerKey.create(folder.resolve("signer.key")));
  }

  @Test
  void anUnsignedOrTamperedBundleIsRefused() {
    byte[] signed = key.sign(bundle(3, Kind.JAVA)).encode();
    assertRefused(
        Code.SIGNATURE_REFUSED,
        "is not signed",
        () -> SignedManifest.decode(bundle(3, Kind.JAVA).encode()));
    String text = new String(signed, StandardCharsets.US_ASCII);
    for (String tampered :
        List.of(
            text.replace("version: 3", "version: 4"),
            text.replace("entry: main", "entry: evil"),
            text.replace("kind: java", "kind: wasm"),
            text.replace(key.signer().hex(), other("other").signer().hex()))) {
      assertRefused(
          Code.SIGNATURE_REFUSED,
          "its signature is not that of",
          () -> SignedManifest.decode(tampered.getBytes(StandardCharsets.US_ASCII)));
    }
    String[] lines = text.split("(?<=\n)");
    String last = lines[9];
    lines[9] = lines[8];
    lines[8] = last;
    assertThat(last).startsWith("part: ");
    for (String malformed :
        List.of(
            "",
            String.join("", lines),
            "\n",
            text + "\n",
            text + "part: x\n",
            text.replace("version: 3", "version: 03"),
            text.replace("version: 3", "version: -3"),
            text.replace("\n", "\r\n"),
            text.replace("gleaner-bundle: 1", "gleaner-bundle: 2"),
            text.replace("signature: ", "signature:  "),
            text.replace(key.signer().hex(), "01" + "0".repeat(62)),
            "a".repeat(600_000))) {
      assertRefused(
          Code.SIGNATURE_REFUSED,
          "",
          () -> SignedManifest.decode(malformed.getBytes(StandardCharsets.US_ASCII)));
    }
  }

  @Test
  void anyChangedByteIsRefusedInASentence() {
    long seed = Long.getLong("gleaner.seed", new Random().nextLong());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    byte[] right = key.sign(bundle(3, Kind.WASM)).encode();
    for (int i = 0; i < 1000; i++) {
      byte[] tried = right.clone();
      tried[random.nextInt(tried.length)] ^= (byte) (1 << random.nextInt(8));
      if (random.nextInt(4) == 0) {
        tried = Arrays.copyOf(tried, random.nextInt(tried.length));
      }
      byte[] changed = tried;
      assertRefused(Code.SIGNATURE_REFUSED, "", () -> SignedManifest.decode(changed));
    }
  }

  @Test
  void theOwnerDecidesWhomToTrust() {
    SignedManifest java = key.sign(bundle(3, Kind.JAVA));
    SignedManifest wasm = key.sign(bundle(4, Kind.WASM));
    BundleTrust nobody = trust(Set.of(), false, false);
    BundleTrust anybodysWasm = trust(Set.of(), false, true);

    assertRefused(Code.SIGNATURE_REFUSED, "does not trust", () -> nobody.require(wasm, seen));
    assertRefused(
        Code.SIGNATURE_REFUSED,
        "does not trust its signer " + key.signer() + " with the kind java",
        () -> anybodysWasm.require(java, seen));
    trust(Set.of(key.signer()), false, false).require(java, seen);
    trust(Set.of(), true, false).require(java, seen);
    anybodysWasm.require(wasm, seen);
  }

  @Test
  void aRevokedBundleOrSignerIsRefused() {
    SignedManifest signed = key.sign(bundle(3, Kind.WASM));
    BundleTrust trust = trust(Set.of(key.signer()), true, true);
    trust.require(signed, seen);
    revoked.add(signed.digest());
    assertRefused(Code.SIGNATURE_REFUSED, "was revoked", () -> trust.require(signed, seen));
    trust.require(key.sign(bundle(4, Kind.WASM)), seen);
    revoked.add(key.signer().hex());
    assertRefused(
        Code.SIGNATURE_REFUSED,
        "was revoked",
        () -> trust.require(key.sign(bundle(5, Kind.WASM)), seen));
  }

  @Test
  void anOlderBundleIsRefusedAlsoAfterARestart() {
    BundleTrust trust = trust(Set.of(key.signer(), other("other").signer()), false, false);
    trust.require(key.sign(bundle(3, Kind.JAVA)), seen);
    trust.require(key.sign(bundle(3, Kind.JAVA)), seen);
    SeenBundles restarted = new SeenBundles(folder.resolve("seen"));
    assertRefused(
        Code.SIGNATURE_REFUSED,
        "has run version 3",
        () -> trust.require(key.sign(bundle(2, Kind.JAVA)), restarted));
    assertRefused(
        Code.SIGNATURE_REFUSED,
        "another bundle of the same version",
        () -> trust.require(key.sign(bundle(3, Kind.COMMAND)), restarted));
    trust.require(SignerKey.read(folder.resolve("other")).sign(bundle(1, Kind.JAVA)), restarted);
    trust.require(key.sign(bundle(4, Kind.JAVA)), restarted);
  }

  @Test
  void manyBundlesAreRemembered() {
    BundleTrust trust = trust(Set.of(key.signer()), false, false);
    IntStream.range(0, 510)
        .forEach(i -> trust.require(key.sign(bundle("b" + i, 9, Kind.WASM)), seen));
    SeenBundles restarted = new SeenBundles(folder.resolve("seen"));
    assertRefused(
        Code.SIGNATURE_REFUSED,
        "has run version 9",
        () -> trust.require(key.sign(bundle("b509", 8, Kind.WASM)), restarted));
  }

  @Test
  void aPartWithOtherBytesIsNotLoaded() throws Exception {
    SignedManifest signed = key.sign(bundle(3, Kind.WASM));
    BundleTrust.requirePart(signed, "main.wasm", part);
    assertRefused(
        Code.SIGNATURE_REFUSED,
        "names no part",
        () -> BundleTrust.requirePart(signed, "evil.wasm", part));
    Files.writeString(part, "cade");
    assertRefused(
        Code.SIGNATURE_REFUSED,
        "is not what the manifest names",
        () -> BundleTrust.requirePart(signed, "main.wasm", part));
  }

  @Test
  void pathsThatLeaveTheBundleAreRefused() {
    for (String path :
        List.of("../x", "/etc/passwd", "a/../b", "a\\b", "", "a//b", ".", "a/.", "a b")) {
      try {
        new Part(path, 1, "0".repeat(64));
        throw new AssertionError(path);
      } catch (SecurityRefusal refusal) {
        assertThat(refusal.code()).isEqualTo(Code.SIGNATURE_REFUSED);
      }
    }
    assertRefused(
        Code.SIGNATURE_REFUSED,
        "two parts have one path",
        () ->
            new BundleManifest(
                "x",
                1,
                Kind.WASM,
                "main",
                new Needs(0, 0, 0),
                List.of(new Part("a", 1, "0".repeat(64)), new Part("A", 1, "1".repeat(64)))));
  }

  private BundleTrust trust(Set<Signer> named, boolean members, boolean wasmOfAnybody) {
    return new BundleTrust(named, signer -> members, wasmOfAnybody, revoked::contains);
  }

  private SignerKey other(String name) {
    Path file = folder.resolve(name);
    return Files.exists(file) ? SignerKey.read(file) : SignerKey.create(file);
  }

  private static BundleManifest bundle(long version, Kind kind) {
    return bundle("primes", version, kind);
  }

  private static BundleManifest bundle(String name, long version, Kind kind) {
    return new BundleManifest(
        name,
        version,
        kind,
        "main",
        new Needs(64 << 20, 0, 1),
        List.of(
            new Part("main.wasm", 4, Digests.sha256Hex("code")),
            new Part("data/table.csv", 0, Digests.sha256Hex(""))));
  }
}
