package io.gleaner.ledger;

/** How accounts are named. */
final class Account {
  static final String ISSUED = "pool/issued";
  static final String FEES = "pool/fees";
  static final String ESCROWS = "escrow/";

  /** Longest name of a user, an owner or a bag. */
  static final int NAME_LENGTH = 100;

  private Account() {}

  static String user(String name) {
    return "user/" + checked("user", name);
  }

  static String owner(String name) {
    return "owner/" + checked("owner", name);
  }

  static String escrow(String jobId) {
    return ESCROWS + checked("bag", jobId);
  }

  /**
   * The name, if it can stand in an account and in a cause without being taken for two.
   *
   * @throws LedgerException if it cannot
   */
  static String checked(String what, String name) {
    boolean fits =
        name != null
            && !name.isBlank()
            && name.length() <= NAME_LENGTH
            && name.chars().noneMatch(c -> c == '/' || c == ':' || Character.isISOControl(c));
    if (!fits) {
      throw new LedgerException(
          LedgerException.Code.INVALID,
          "the name of the "
              + what
              + " must have 1 to "
              + NAME_LENGTH
              + " characters without '/', ':' and control characters");
    }
    return name;
  }
}
