package io.gleaner.node;

import io.gleaner.space.core.Limits;
import java.util.List;

/**
 * What the space knows of the entry classes of one user at most.
 *
 * @param classes entry classes in all spaces of the user
 * @param spaces spaces of the user
 * @param bytes what the descriptions of these classes take in all parts of the space
 */
public record ClassLimits(int classes, int spaces, long bytes) {

  static ClassLimits standard() {
    return new ClassLimits(
        Limits.DEFAULT.types(), Limits.DEFAULT.spaces(), Limits.DEFAULT.typeBytes());
  }

  void check(List<String> wrong) {
    if (classes < 1 || spaces < 1 || bytes < 1) {
      wrong.add("a user has at least one class, one space and a byte for them; expected 1 or more");
    }
  }
}
