package io.gleaner.api.calls;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads which classes a class refers to: in its code, and in the types of its fields and methods.
 * Source: Java Virtual Machine Specification 17, chapter 4.
 */
final class ClassFile {
  private static final int MAGIC = 0xCAFEBABE;

  private final DataInputStream in;
  private String[] texts = new String[0];
  private final Set<Integer> classes = new TreeSet<>();
  private final Set<Integer> descriptors = new TreeSet<>();

  private ClassFile(byte[] bytes) {
    this.in = new DataInputStream(new ByteArrayInputStream(bytes));
  }

  /**
   * The names of the classes, as in {@code java/lang/String}.
   *
   * @throws IOException if the bytes are no class file
   */
  static Set<String> referredFrom(byte[] bytes) throws IOException {
    return new ClassFile(bytes).read();
  }

  private Set<String> read() throws IOException {
    if (in.readInt() != MAGIC) {
      throw new IOException("no class file");
    }
    in.readInt(); // version
    readConstants();
    in.readUnsignedShort(); // access
    in.readUnsignedShort(); // this class
    in.readUnsignedShort(); // superclass
    in.skipNBytes(2L * in.readUnsignedShort()); // interfaces, all of them among the constants
    readMembers();
    readMembers();
    Set<String> names = new TreeSet<>();
    classes.forEach(index -> addFrom(texts[index], names));
    descriptors.forEach(index -> addFrom(texts[index], names));
    return names;
  }

  private void readConstants() throws IOException {
    int count = in.readUnsignedShort();
    texts = new String[count];
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> texts[i] = in.readUTF();
        case 3, 4, 9, 10, 11, 17, 18 -> in.readInt();
        case 5, 6 -> {
          in.readLong();
          i++; // takes two places
        }
        case 7 -> classes.add(in.readUnsignedShort());
        case 8, 19, 20 -> in.readUnsignedShort();
        case 12 -> {
          in.readUnsignedShort(); // name
          descriptors.add(in.readUnsignedShort());
        }
        case 15 -> in.skipNBytes(3);
        case 16 -> descriptors.add(in.readUnsignedShort());
        default -> throw new IOException("a constant has the unknown kind " + tag);
      }
    }
  }

  /** Fields or methods: serialisation looks at the types of all of them. */
  private void readMembers() throws IOException {
    int count = in.readUnsignedShort();
    for (int i = 0; i < count; i++) {
      in.readInt(); // access and name
      descriptors.add(in.readUnsignedShort());
      int attributes = in.readUnsignedShort();
      for (int j = 0; j < attributes; j++) {
        in.readUnsignedShort();
        in.skipNBytes(in.readInt());
      }
    }
  }

  /** The classes in a name, an array or a descriptor: {@code (Ljava/lang/String;[[I)V}. */
  private static void addFrom(String text, Set<String> names) {
    boolean descriptor = text.startsWith("(") || text.startsWith("[") || text.endsWith(";");
    if (!descriptor) {
      if (text.length() > 1) {
        names.add(text);
      }
      return;
    }
    for (int from = text.indexOf('L'); from >= 0; from = text.indexOf('L', from + 1)) {
      int to = text.indexOf(';', from);
      if (to < 0) {
        return;
      }
      names.add(text.substring(from + 1, to));
      from = to;
    }
  }
}
