package io.gleaner.idle;

import java.util.Set;

/**
 * Programs other than the launcher and its tasks.
 *
 * @param cores that they use
 * @param programs their names, as {@code ps -o comm} shows them: 15 letters at most
 */
public record Others(double cores, Set<String> programs) {
  public Others {
    programs = Set.copyOf(programs);
  }
}
