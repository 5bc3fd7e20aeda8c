package io.gleaner.api;

import java.util.List;

/**
 * A job that divides itself and collects its parts; see {@link MarketExecutor#submit(
 * ComputationalSuperTask, int)}. Dividing and collecting happen in the submitter's program, on one
 * thread at a time; only the parts travel. Source: {@code ComputationalSuperTask}, Gomoluch,
 * appendix D.5 ({@code divideSuperTask}, {@code collectTaskResults}).
 *
 * @param <P> the result of one part
 * @param <R> the result of the whole
 */
public interface ComputationalSuperTask<P, R> {

  /**
   * Divides the job.
   *
   * @param parts how many parts are wanted; another number may be made, but not none
   */
  List<? extends ComputationalTask<P>> divide(int parts) throws Exception;

  /**
   * Takes the result of one part as it comes, once for each part, in the order in which they end.
   *
   * @param part its position in what {@link #divide} made, from 0
   */
  void collect(P result, int part) throws Exception;

  /** The result of the whole, asked for when all parts were collected. */
  R result() throws Exception;
}
