package io.gleaner.storage;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/** Tells that a database cannot be reached from other things that may go wrong with it. */
public final class Outage {
  private static final int DEEPEST = 16;

  private Outage() {}

  /**
   * Whether the failure comes from a database whose server is away, ends, starts, is silent, or has
   * no connection to spare: the same may work later.
   */
  public static boolean caused(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
      if (cause instanceof SQLTransientConnectionException
          || (cause instanceof SQLException sql && isAway(sql.getSQLState()))) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  /** Classes of PostgreSQL's codes: connection, resources, intervention of its operator. */
  private static boolean isAway(String state) {
    return state != null
        && (state.startsWith("08") || state.startsWith("53") || state.startsWith("57P"));
  }
}
