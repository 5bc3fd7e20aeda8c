package io.gleaner.sandbox.child;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** How strings and maps lie in a payload. */
final class Wire {
  private Wire() {}

  /** Something that writes fields. */
  @FunctionalInterface
  interface Writer {
    void write(DataOutputStream out) throws IOException;
  }

  static byte[] bytes(Writer writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      writer.write(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  static DataInputStream reader(Frame frame) {
    return new DataInputStream(new ByteArrayInputStream(frame.payload()));
  }

  static void writeBlock(DataOutputStream out, byte[] block) throws IOException {
    out.writeInt(block.length);
    out.write(block);
  }

  static byte[] readBlock(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException("a field claims " + length + " bytes of " + in.available());
    }
    return in.readNBytes(length);
  }

  static void writeText(DataOutputStream out, String text) throws IOException {
    writeBlock(out, text.getBytes(StandardCharsets.UTF_8));
  }

  static String readText(DataInputStream in) throws IOException {
    return new String(readBlock(in), StandardCharsets.UTF_8);
  }

  static void writeMap(DataOutputStream out, Map<String, String> map) throws IOException {
    out.writeInt(map.size());
    for (Map.Entry<String, String> entry : map.entrySet()) {
      writeText(out, entry.getKey());
      writeText(out, entry.getValue());
    }
  }

  static Map<String, String> readMap(DataInputStream in) throws IOException {
    int size = in.readInt();
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      String key = readText(in);
      map.put(key, readText(in));
    }
    return map;
  }
}
