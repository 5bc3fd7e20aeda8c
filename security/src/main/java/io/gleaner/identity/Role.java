package io.gleaner.identity;

/** What a user may be; one person may be several. */
public enum Role {
  /** Lends machines and sees what they earn. */
  OWNER,
  /** Submits bags and reads their results. */
  SUBMITTER,
  /** Runs the node. */
  OPERATOR,
  /** Reads everything and changes nothing. */
  AUDITOR
}
