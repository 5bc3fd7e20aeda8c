package io.gleaner.audit;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A chain in SQL, for those who sign and check it. Stateless; safe for all threads. */
public interface Chain {
  /** A word of up to 16 letters. */
  String name();

  /** Up to so many lines after that one, in order. */
  List<ChainLine> after(Connection connection, long number, int most) throws SQLException;

  /** What its writers say is the last line. */
  ChainHead head(Connection connection) throws SQLException;
}
