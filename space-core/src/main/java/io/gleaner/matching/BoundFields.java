package io.gleaner.matching;

/** Sets of fields, as the bits of a long, and what an entry has in them. */
final class BoundFields {
  private BoundFields() {}

  /** The fields that a template binds. */
  static long of(EncodedEntry template) {
    long bound = 0;
    for (int i = 0; i < template.fields().length; i++) {
      bound |= template.fields()[i] == null ? 0 : 1L << i;
    }
    return bound;
  }

  /** One number for all that an entry, or a template that binds them, has in these fields. */
  static long hash(long bound, EncodedEntry entry, long seed) {
    long hash = seed;
    for (int i = 0; i < entry.fields().length; i++) {
      if ((bound >>> i & 1) != 0) {
        hash = FieldHash.of(entry.fields()[i], hash);
      }
    }
    return hash;
  }
}
