package io.gleaner.sandbox.child;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.gleaner.fuzzing.Corpus;
import io.gleaner.fuzzing.Cost;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/** What a task's process says to its launcher: a stranger's program may have written it. */
public class ChildFuzzTest {
  private static final int MOST = 1 << 16;

  @MethodSource("streams")
  @FuzzTest
  @Tag("S5")
  public void isRefusedOrMessages(byte[] stream) {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(stream));
    try {
      Optional<Frame> next = Frame.read(in, MOST);
      while (next.isPresent()) {
        Frame frame = next.get();
        ByteArrayOutputStream again = new ByteArrayOutputStream();
        frame.write(new DataOutputStream(again));
        int at = stream.length - in.available();
        assertThat(again.toByteArray())
            .isEqualTo(Arrays.copyOfRange(stream, at - again.size(), at));
        if (frame.type() == Frame.Type.RESULT) {
          Ended ended = Cost.bounded(stream.length, () -> Ended.of(frame));
          Ended same = Ended.of(ended.frame(frame.type()));
          assertThat(same).usingRecursiveComparison().isEqualTo(ended);
        } else if (frame.type() == Frame.Type.HELLO) {
          Hello hello = Cost.bounded(stream.length, () -> Hello.of(frame));
          assertThat(Hello.of(hello.frame())).isEqualTo(hello);
        }
        next = Frame.read(in, MOST);
      }
    } catch (IOException refused) {
      // Cut off, too long, or of no known type: the launcher ends the child.
    }
  }

  public static Stream<byte[]> streams() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(all);
    new Frame(Frame.Type.READY, new byte[0]).write(out);
    new Frame(Frame.Type.LOG, "hello".getBytes(StandardCharsets.UTF_8)).write(out);
    new Ended(5, true, new byte[] {1, 2}).frame(Frame.Type.RESULT).write(out);
    new Hello("a.jar", "ab", "A", 1, 2).frame().write(out);
    return Corpus.with(ChildFuzzTest.class, Stream.of(all.toByteArray()));
  }
}
