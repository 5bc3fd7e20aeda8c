package io.gleaner.notice;

import java.io.IOException;

/** A way to tell; blocks until the other side took it over or a time-out. */
interface Channel {

  /** The names of the channels, as the database has them. */
  enum Kind {
    MAIL,
    WEBHOOK
  }

  /**
   * Tells once.
   *
   * @throws IOException if the other side did not take it over; the message says why
   */
  void send(Notice notice) throws IOException;
}
