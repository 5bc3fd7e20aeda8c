package io.gleaner.matching;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.gleaner.fuzzing.Corpus;
import io.gleaner.fuzzing.Cost;
import io.gleaner.tuple.TaskEntry;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/** An entry of somebody else, as a client and as the node reads it. */
public class EntryFuzzTest {

  /** An entry of a program: its fields may also be serialised. */
  public static final class Note implements Entry {
    private static final long serialVersionUID = 1L;
    public String text;
    public Object any;
    public List<Map<String, Integer>> counts;
    public int[] numbers;
  }

  /** The first byte says of which class it is; then each field is a length and so many bytes. */
  @MethodSource("entries")
  @FuzzTest
  @Tag("S4")
  public void isUsableOrSaysWhichFieldIsNot(byte[] input) {
    ByteBuffer in = ByteBuffer.wrap(input);
    boolean ofProgram = !in.hasRemaining() || in.get() % 2 == 0;
    EntryType type = EntryShape.of(ofProgram ? Note.class : TaskEntry.class).type();
    byte[][] fields = new byte[type.fieldNames().size()][];
    for (int i = 0; i < fields.length && in.hasRemaining(); i++) {
      int length = Byte.toUnsignedInt(in.get());
      if (length > 0) {
        fields[i] = new byte[Math.min(length, in.remaining())];
        in.get(fields[i]);
      }
    }
    EncodedEntry encoded = new EncodedEntry(type, fields);
    type.fieldNames().forEach(name -> assertThat(encoded.scalar(name)).isNotNull());
    try {
      Entry entry =
          Cost.bounded(input.length, () -> EntryCodec.decode(encoded, getClass().getClassLoader()));
      EncodedEntry once = EntryCodec.encode(entry);
      assertThat(EntryCodec.encode(EntryCodec.decode(once, getClass().getClassLoader())))
          .isEqualTo(once);
    } catch (UnusableEntryException unusable) {
      assertThat(unusable.unusableFields).isNotEmpty();
      for (Throwable each : unusable.nestedExceptions) {
        assertThat(each).isInstanceOf(RuntimeException.class);
      }
    } catch (IllegalArgumentException notCanonical) {
      // An entry of the market whose field took a value of another class cannot be written again.
      assertThat(notCanonical).hasMessageContaining("entries of this class have no other");
    }
  }

  public static Stream<byte[]> entries() {
    Note note = new Note();
    note.text = "text";
    note.any = new Random(1); // has no canonical form
    note.counts = List.of(Map.of("a", 1));
    note.numbers = new int[] {1, 2};
    Note other = new Note();
    other.any = BitSet.valueOf(new byte[] {7});
    TaskEntry task = new TaskEntry();
    task.jobId = "job";
    return Corpus.with(
        EntryFuzzTest.class, Stream.of(input(0, note), input(0, other), input(1, task)));
  }

  private static byte[] input(int kind, Entry entry) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(kind);
    for (byte[] field : EntryCodec.encode(entry).fields()) {
      out.write(field == null ? 0 : field.length);
      out.writeBytes(field == null ? new byte[0] : field);
    }
    return out.toByteArray();
  }
}
