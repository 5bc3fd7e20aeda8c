package io.gleaner.ledger;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Double-entry accounts in integer micro-credits; safe for all threads.
 *
 * <p>Every call that moves money is idempotent by its cause: the same cause has its effect once and
 * answers the same again. It returns after the posting is on disk. No account but {@code
 * pool/issued} is ever negative and the sum of all is zero.
 *
 * <p>Accounts: {@code user/<name>}, {@code escrow/<bag>}, {@code owner/<name>}, {@code pool/fees},
 * {@code pool/issued}.
 */
public interface Ledger {

  /** One line of a statement. */
  record Line(
      long posting,
      String kind,
      String key,
      String account,
      long micros,
      long balanceMicros,
      Instant at) {}

  /**
   * What one task replica earned: {@code micros} is capped by what is left in escrow, and the
   * pool's fee is taken from the owner's part.
   */
  record Settlement(String jobId, int taskIndex, int replica, String owner, long micros) {}

  long balance(String account);

  /** Balances of all accounts, by name. */
  Map<String, Long> balances();

  /** Newest first. */
  List<Line> statement(String account, int limit);

  /** Issues credits to a user; {@code cause} makes it idempotent. */
  void grant(String user, long micros, String cause);

  /**
   * Moves a bag's budget from its user to its escrow.
   *
   * @throws LedgerException if the user's balance does not cover it
   */
  void escrow(String user, String jobId, long micros);

  /**
   * Pays for accepted work, each (bag, task, replica) once.
   *
   * @param epoch the leadership under which the caller acts
   * @return what was paid for each, in the same order; what was settled before answers its amount
   * @throws LedgerException STALE_EPOCH if a later epoch has begun, UNKNOWN_EPOCH if this one has
   *     not, CAUSE_REUSED if one was settled before for another owner or amount; nothing of the
   *     batch is paid then
   */
  List<Long> settle(List<Settlement> settlements, long epoch);

  /** Returns what is left in the escrow to the user; answers the amount, also when asked again. */
  long refund(String user, String jobId, String reason);

  /** Bags whose escrow is not empty, with what is left. */
  Map<String, Long> escrows();

  /** The highest epoch that was begun; 0 before the first. */
  long epoch();

  /** Begins an epoch: every batch under a smaller one is refused from now on. */
  void beginEpoch(long epoch);
}
