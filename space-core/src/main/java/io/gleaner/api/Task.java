package io.gleaner.api;

/**
 * One piece of a bag of tasks: parameters in, bytes out.
 *
 * <p>The program of a {@code java} bag names a public class that implements this interface and has
 * a public no-argument constructor. The launcher calls {@link #run} once per task, in a child JVM,
 * on one thread; an instance is never used twice. Follows Frugal's {@code Projectable} (Borgstrom,
 * section 7) and {@code ComputationalTask} (Gomoluch, appendix D.4).
 */
@FunctionalInterface
public interface Task {

  /**
   * Does the work.
   *
   * @param parameters this task's point of the sweep
   * @param context progress and checkpoints
   * @return the result, at most the output limit of the bag
   * @throws Exception whatever went wrong: the task counts as failed with this reason
   */
  byte[] run(Parameters parameters, TaskContext context) throws Exception;
}
