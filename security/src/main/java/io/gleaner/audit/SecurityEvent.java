package io.gleaner.audit;

/**
 * Something that was done to the security of the pool. Never holds a secret: no password, no token,
 * no key, and not what somebody typed as a name when no user has it.
 *
 * @param subject on what: a user, the name of a token, the URI of a member, a bag; cut to 256
 *     characters
 * @param detail the rest, as {@code key=value}; cut to 300 characters, may be empty
 */
public record SecurityEvent(Deed deed, Outcome outcome, Actor by, String subject, String detail) {

  public SecurityEvent {
    subject = PlainText.of(subject, 256);
    detail = PlainText.of(detail, 300);
  }

  /** Something that was done. */
  public static SecurityEvent done(Deed deed, Actor by, String subject, String detail) {
    return new SecurityEvent(deed, Outcome.DONE, by, subject, detail);
  }

  /** Something that was tried. */
  public static SecurityEvent refused(Deed deed, Actor by, String subject, String detail) {
    return new SecurityEvent(deed, Outcome.REFUSED, by, subject, detail);
  }
}
