package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What one user has in the registry, counted: spaces, classes, and bytes that cells are told. */
final class Registered {
  private static final String ASK = ", or ask the operator for more (";

  final Map<String, Registries.Registry> spaces = new LinkedHashMap<>();
  private int types;
  private long bytes;

  /** What descriptions of classes take in an image or a letter, about. */
  static long bytes(Collection<EntryType> told) {
    long sum = 0;
    for (EntryType type : told) {
      sum += type.name().length() + 8L;
      for (String name : type.supertypes()) {
        sum += name.length() + 2L;
      }
      for (String name : type.fieldNames()) {
        sum += name.length() + 2L;
      }
    }
    return sum;
  }

  long bytes() {
    return bytes;
  }

  /** The sentence with which more is refused, or an empty one. */
  String refusal(Limits limits, String space, List<EntryType> more, long moreBytes) {
    if (!spaces.containsKey(space) && spaces.size() >= limits.spaces()) {
      return "the user of this space has "
          + limits.spaces()
          + " spaces, as many as a user may have; use one of them"
          + ASK
          + "--space-limit)";
    }
    int unknown = unknown(space, more);
    if (unknown > 0 && types + unknown > limits.types()) {
      return "the user of this space has "
          + types
          + " entry classes and may have "
          + limits.types()
          + ", counted in each of its spaces; use those that are there"
          + ASK
          + "--class-limit)";
    }
    return bytes + moreBytes > limits.typeBytes()
        ? "what the space keeps of the entry classes of its user has more than "
            + limits.typeBytes()
            + " bytes; use fewer classes or shorter names"
            + ASK
            + "--class-memory)"
        : "";
  }

  private int unknown(String space, List<EntryType> more) {
    Registries.Registry registry = spaces.get(space);
    int unknown = 0;
    for (EntryType type : more) {
      if (!type.equals(EncodedEntry.ANYTHING)
          && (registry == null
              || !(registry.types.contains(type) || registry.asked.containsKey(type)))) {
        unknown++;
      }
    }
    return unknown;
  }

  /** Counts more; the caller adds it to the registry of the space. */
  Registries.Registry add(String space, List<EntryType> more, long moreBytes) {
    types += unknown(space, more);
    bytes += moreBytes;
    return spaces.computeIfAbsent(space, s -> new Registries.Registry());
  }

  /** Counts what it was loaded with. */
  void restore(long keptBytes) {
    bytes = keptBytes;
    for (Registries.Registry registry : spaces.values()) {
      types += registry.types.size();
      for (EntryType template : registry.asked.keySet()) {
        if (!registry.types.contains(template) && !template.equals(EncodedEntry.ANYTHING)) {
          types++;
        }
      }
    }
  }
}
