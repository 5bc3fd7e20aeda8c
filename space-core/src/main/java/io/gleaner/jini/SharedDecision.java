package io.gleaner.jini;

import net.jini.core.entry.Entry;

/**
 * Says that a transaction of {@link SharedTransactions} is committed: written under it, so it is
 * there from the moment of the commit, until every participant has heard.
 */
public class SharedDecision implements Entry {
  private static final long serialVersionUID = 1L;

  /** The manager's identity. */
  public String manager;

  /** The space's number of the transaction. */
  public Long transaction;

  /** Marshalled proxies, one in each line. */
  public String participants;

  /** For the space. */
  public SharedDecision() {}

  SharedDecision(String manager, Long transaction, String participants) {
    this.manager = manager;
    this.transaction = transaction;
    this.participants = participants;
  }
}
