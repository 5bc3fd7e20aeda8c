package io.gleaner.api.calls;

import io.gleaner.api.CallFailedException;
import io.gleaner.api.GleanerException;
import io.gleaner.api.GleanerException.Code;
import io.gleaner.deserialising.AllowList;
import io.gleaner.deserialising.Deserialiser;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * What a call came to, as the output of its task: a byte that says which, then the Java-serialised
 * value, or class, message and stack trace of what was thrown.
 */
public final class CallOutcome {
  private static final int VALUE = 0;
  private static final int THROWN = 1;
  private static final int MOST_FRAMES = 100;
  private static final int LONGEST_TEXT = 16 * 1024;

  private CallOutcome() {}

  /** What the call returned; what cannot be serialised becomes a failure that says so. */
  static byte[] ofValue(Object value) {
    try {
      byte[] serialised = SerialisedCall.write(value, new HashSet<>());
      byte[] output = new byte[serialised.length + 1];
      output[0] = VALUE;
      System.arraycopy(serialised, 0, output, 1, serialised.length);
      return output;
    } catch (IOException e) {
      return ofThrown(e);
    }
  }

  static byte[] ofThrown(Throwable thrown) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(THROWN);
      writeText(out, thrown.getClass().getName());
      writeText(out, thrown.getMessage() == null ? "" : thrown.getMessage());
      StackTraceElement[] trace = thrown.getStackTrace();
      int frames = Math.min(trace.length, MOST_FRAMES);
      out.writeInt(frames);
      for (StackTraceElement frame : Arrays.asList(trace).subList(0, frames)) {
        writeText(out, frame.getClassName());
        writeText(out, frame.getMethodName());
        writeText(out, frame.getFileName() == null ? "" : frame.getFileName());
        out.writeInt(frame.getLineNumber());
      }
    } catch (IOException e) {
      throw new IllegalStateException("memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  /**
   * The value that the call returned.
   *
   * @param packages those whose classes the value may hold besides the JDK's values
   * @throws CallFailedException if the call threw
   * @throws GleanerException NOT_SERIALISABLE if the value holds what it may not, DAMAGED if the
   *     bytes are no outcome
   */
  public static Object read(byte[] output, Set<String> packages, ClassLoader classes)
      throws CallFailedException {
    int kind = output.length == 0 ? -1 : output[0];
    byte[] content = Arrays.copyOfRange(output, Math.min(1, output.length), output.length);
    AllowList filter = new AllowList(packages, content.length);
    try {
      if (kind == VALUE) {
        return Deserialiser.read(content, filter, classes);
      }
      if (kind == THROWN) {
        throw thrown(new DataInputStream(new ByteArrayInputStream(content)));
      }
    } catch (InvalidClassException e) {
      throw new GleanerException(
          Code.NOT_SERIALISABLE,
          "the result of a call was refused ("
              + (filter.refusal().isEmpty() ? e.getMessage() : filter.refusal())
              + "): it may hold values of the JDK and classes of the packages "
              + packages
              + ", not too deep; declare others with MarketExecutor's acceptsFrom",
          e);
    } catch (IOException | ClassNotFoundException | RuntimeException | Error e) {
      // What a class does when it is read or first used was chosen by whoever wrote the bytes.
      throw new GleanerException(Code.DAMAGED, "the result of a call cannot be read: " + e, e);
    }
    throw new GleanerException(Code.DAMAGED, "the result of a call is no outcome of one");
  }

  private static CallFailedException thrown(DataInputStream in) throws IOException {
    String type = readText(in);
    String message = readText(in);
    StackTraceElement[] trace = new StackTraceElement[Math.min(in.readInt(), MOST_FRAMES)];
    for (int i = 0; i < trace.length; i++) {
      trace[i] = new StackTraceElement(readText(in), readText(in), readText(in), in.readInt());
    }
    return new CallFailedException(type, message, trace);
  }

  private static void writeText(DataOutputStream out, String text) throws IOException {
    byte[] bytes =
        text.substring(0, Math.min(text.length(), LONGEST_TEXT)).getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String readText(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException("a text claims " + length + " bytes of " + in.available());
    }
    return new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }
}
