package io.gleaner.matching;

/** The first byte of every encoded value; the codes are part of the format and never change. */
enum Tag {
  NULL(0),
  STRING(1),
  /** A string with unpaired surrogates, as its chars. */
  CHARS(2),
  BOOLEAN(3),
  BYTE(4),
  SHORT(5),
  CHARACTER(6),
  INTEGER(7),
  LONG(8),
  FLOAT(9),
  DOUBLE(10),
  BOOLEANS(11),
  BYTES(12),
  SHORTS(13),
  CHARACTERS(14),
  INTEGERS(15),
  LONGS(16),
  FLOATS(17),
  DOUBLES(18),
  INSTANT(19),
  DURATION(20),
  UUID(21),
  BIG_INTEGER(22),
  BIG_DECIMAL(23),
  ENUM(24),
  RECORD(25),
  LIST(26),
  SET(27),
  MAP(28),
  ARRAY(29),
  /** A value of the JDK: the name of its class and its text. */
  VALUE(30),
  /** An optional: its value, or NULL. */
  OPTIONAL(31),
  /** A collection that keeps its class: its name, and the members in its order. */
  COLLECTION(32),
  /** A map that keeps its class: its name, and keys and values in its order. */
  MAPPING(33),
  /** A whole field as a stream of Java serialisation; nothing else can hold one. */
  SERIALISED(34);

  private static final Tag[] BY_CODE = values();

  final int code;

  Tag(int code) {
    this.code = code;
  }

  static Tag of(int code) {
    if (code >= BY_CODE.length) {
      throw new MalformedValue("unknown tag " + code);
    }
    return BY_CODE[code];
  }
}
