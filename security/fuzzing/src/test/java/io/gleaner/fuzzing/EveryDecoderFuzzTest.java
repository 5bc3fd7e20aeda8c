package io.gleaner.fuzzing;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.gleaner.authority.CertificateFuzzTest;
import io.gleaner.description.BagFuzzTest;
import io.gleaner.description.CsvFuzzTest;
import io.gleaner.deserialising.ObjectFuzzTest;
import io.gleaner.enrolment.JoinTokenFuzzTest;
import io.gleaner.gateway.AnswerFuzzTest;
import io.gleaner.gateway.ClientFrameFuzzTest;
import io.gleaner.matching.EntryFuzzTest;
import io.gleaner.matching.ValueFuzzTest;
import io.gleaner.sandbox.child.ChildFuzzTest;
import io.gleaner.signing.ManifestFuzzTest;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/** All targets in one process, for the short run with every build: the first byte chooses one. */
class EveryDecoderFuzzTest {

  private record Target(Reader reader, Stream<byte[]> seeds) {}

  private interface Reader {
    void read(byte[] bytes) throws Exception;
  }

  private static final List<Reader> READERS = targets().stream().map(Target::reader).toList();

  private static List<Target> targets() {
    try {
      return List.of(
          new Target(
              new ClientFrameFuzzTest()::isRefusedOrMeansOneThing, ClientFrameFuzzTest.frames()),
          new Target(new AnswerFuzzTest()::isRefusedOrMeansOneThing, AnswerFuzzTest.frames()),
          new Target(new ValueFuzzTest()::isRefusedOrWrittenAgain, ValueFuzzTest.values()),
          new Target(new EntryFuzzTest()::isUsableOrSaysWhichFieldIsNot, EntryFuzzTest.entries()),
          new Target(
              new ObjectFuzzTest()::bringsNothingToLifeThatIsNotAllowed, ObjectFuzzTest.objects()),
          new Target(new JoinTokenFuzzTest()::isRefusedOrOneToken, JoinTokenFuzzTest.tokens()),
          new Target(new CertificateFuzzTest()::isRefusedOrRead, CertificateFuzzTest.inputs()),
          new Target(
              new ManifestFuzzTest()::isRefusedOrReadAsItWasWritten, ManifestFuzzTest.manifests()),
          new Target(new BagFuzzTest()::isRefusedOrHasItsTasks, BagFuzzTest.descriptions()),
          new Target(new CsvFuzzTest()::isRefusedOrHasRows, CsvFuzzTest.files()),
          new Target(new ChildFuzzTest()::isRefusedOrMessages, ChildFuzzTest.streams()));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @MethodSource("inputs")
  @FuzzTest
  @Tag("S4")
  void readsOrRefuses(byte[] input) throws Exception {
    if (input.length > 0) {
      READERS
          .get(Byte.toUnsignedInt(input[0]) % READERS.size())
          .read(Arrays.copyOfRange(input, 1, input.length));
    }
  }

  static Stream<byte[]> inputs() {
    List<Target> targets = targets();
    return IntStream.range(0, targets.size())
        .boxed()
        .flatMap(i -> targets.get(i).seeds().map(seed -> after(i, seed)));
  }

  private static byte[] after(int target, byte[] seed) {
    byte[] input = new byte[seed.length + 1];
    input[0] = (byte) target;
    System.arraycopy(seed, 0, input, 1, seed.length);
    return input;
  }
}
