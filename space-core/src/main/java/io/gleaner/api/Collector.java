package io.gleaner.api;

import java.nio.file.Path;
import java.util.List;

/**
 * Makes one result out of the results of all tasks of a bag, on the submitter's own machine.
 * Follows {@code ComputationalSuperTask} (Gomoluch, appendix D.5). The program names a public class
 * with a public no-argument constructor as {@code collector} of its bag.
 */
@FunctionalInterface
public interface Collector {

  /** The result of one task, as a file. */
  record Part(int taskIndex, Parameters parameters, Path result) {}

  /**
   * Collects.
   *
   * @param parts the tasks that completed, in the order of their index
   * @param folder where to write
   * @return the file that a person wants to see
   */
  Path collect(List<Part> parts, Path folder) throws Exception;
}
