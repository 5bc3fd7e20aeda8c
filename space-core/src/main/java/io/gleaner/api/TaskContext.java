package io.gleaner.api;

import java.nio.file.Path;
import java.util.Optional;

/** What a running task may say to its launcher; safe for all threads of the task. */
public interface TaskContext {

  /** Position of this task in its bag, from 0. */
  int taskIndex();

  /** Which attempt this is, from 1. */
  int attempt();

  /**
   * The local copy of a parameter that is a file.
   *
   * @throws IllegalArgumentException if the parameter is not a file
   */
  Path input(String parameter);

  /**
   * Tells how far the task is.
   *
   * @param fraction between 0 and 1; other values are clamped
   */
  void progress(double fraction);

  /**
   * Saves the state from which a later attempt can go on.
   *
   * @param state at most the checkpoint limit of the launcher
   */
  void checkpoint(byte[] state);

  /** The state that an earlier attempt saved last, or empty. */
  Optional<byte[]> lastCheckpoint();
}
