package io.gleaner.identity;

/** What somebody who asks can be, for {@link Permissions}; one may be several. */
public enum Party {
  /** A machine that lends its idle time, by its join token. */
  DEVICE,
  /** A device that is a browser, too: for WebAssembly only. */
  BROWSER,
  /** A program that uses spaces, by its join token. */
  APPLICATION,
  /** Whoever has signed in. */
  USER,
  /** A user with {@link Role#OWNER}. */
  OWNER,
  /** A user with {@link Role#SUBMITTER}. */
  SUBMITTER,
  /** A user with {@link Role#OPERATOR}. */
  OPERATOR,
  /** A user with {@link Role#AUDITOR}. */
  AUDITOR;

  /** The party that a user's role makes. */
  static Party of(Role role) {
    return valueOf(role.name());
  }
}
