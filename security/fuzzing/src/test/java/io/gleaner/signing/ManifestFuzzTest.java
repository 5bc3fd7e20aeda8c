package io.gleaner.signing;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.gleaner.fuzzing.Corpus;
import io.gleaner.fuzzing.Cost;
import io.gleaner.secrets.SecurityRefusal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/** The manifest of a bundle: there is one way to write it. */
public class ManifestFuzzTest {

  @MethodSource("manifests")
  @DictionaryEntries({
    "\\x0Aname: ",
    "\\x0Aversion: ",
    "\\x0Akind: wasm",
    "\\x0Aentry: ",
    "\\x0Apart: ",
    "command"
  })
  @FuzzTest
  @Tag("S4")
  public void isRefusedOrReadAsItWasWritten(byte[] bytes) {
    try {
      SignedManifest signed = SignedManifest.decode(bytes);
      assertThat(signed.encode()).isEqualTo(bytes);
    } catch (SecurityRefusal refused) {
      assertThat(refused).message().isNotBlank();
    }
    try {
      Lines lines = new Lines("it", bytes, BundleManifest.LARGEST_BYTES);
      BundleManifest manifest = Cost.bounded(bytes.length, () -> BundleManifest.read(lines));
      byte[] again = manifest.encode();
      assertThat(BundleManifest.read(new Lines("it", again, again.length))).isEqualTo(manifest);
    } catch (SecurityRefusal refused) {
      assertThat(refused).message().isNotBlank();
    }
  }

  public static Stream<byte[]> manifests() {
    BundleManifest manifest =
        new BundleManifest(
            "zoom",
            3,
            BundleManifest.Kind.JAVA,
            "org.example.Zoom",
            new BundleManifest.Needs(1, 2, 3),
            List.of(new BundleManifest.Part("program", 7, "ab".repeat(32))));
    String text = new String(manifest.encode(), StandardCharsets.US_ASCII);
    String signed = text + "signer: " + "ab".repeat(32) + "\nsignature: " + "cd".repeat(64) + "\n";
    return Corpus.with(
        ManifestFuzzTest.class,
        Stream.of(manifest.encode(), signed.getBytes(StandardCharsets.US_ASCII)));
  }
}
