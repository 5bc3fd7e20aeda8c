package io.gleaner.authority;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.gleaner.fuzzing.Corpus;
import io.gleaner.fuzzing.Cost;
import io.gleaner.secrets.SecurityRefusal;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/** What a stranger sends to join, and what a stranger's server shows. */
public class CertificateFuzzTest {

  /** The first byte says which of the two it is. */
  @MethodSource("inputs")
  @FuzzTest
  @Tag("S4")
  public void isRefusedOrRead(byte[] input) {
    if (input.length == 0) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
    try {
      if (input[0] == 0) {
        SigningRequest request = Cost.bounded(input.length, () -> SigningRequest.decode(bytes));
        assertThat(request.key().getAlgorithm()).isEqualTo("EC");
      } else {
        List<X509Certificate> read = Cost.bounded(input.length, () -> Certificates.decode(bytes));
        assertThat(Certificates.decode(Certificates.encode(read))).isEqualTo(read);
        for (X509Certificate each : read) {
          PoolIdentity.of(each)
              .ifPresent(who -> assertThat(PoolIdentity.parse(who.uri())).contains(who));
        }
      }
    } catch (SecurityRefusal refused) {
      assertThat(refused).message().isNotBlank();
    }
  }

  public static Stream<byte[]> inputs() {
    KeyPair keys = P256.generate();
    byte[] request = SigningRequest.encode(keys);
    return Corpus.with(CertificateFuzzTest.class, Stream.of(input(0, request)));
  }

  private static byte[] input(int kind, byte[] bytes) {
    byte[] input = new byte[bytes.length + 1];
    input[0] = (byte) kind;
    System.arraycopy(bytes, 0, input, 1, bytes.length);
    return input;
  }
}
