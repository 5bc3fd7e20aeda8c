package io.gleaner.book;

/** Which rule decided; stable names that clients may rely on. */
public enum Rule {
  /** It won in the clearing. */
  WON,
  /** Its quantum was over and it won again at the same price. */
  WON_AGAIN,
  /** It received its even share. */
  SHARE,
  /** Nothing at all is on offer. */
  NO_OFFERS,
  /** No launcher runs its kind of task. */
  NO_SUCH_KIND,
  /** No launcher that runs its kind has the memory. */
  TOO_LITTLE_MEMORY,
  /** No launcher that could run it is one where it may run. */
  NOT_ALLOWED_THERE,
  /** No launcher that could run it trusts the signer of its program. */
  SIGNER_NOT_TRUSTED,
  /** Each launcher that could run it found that its program may not run there. */
  PROGRAM_REFUSED,
  /** All slots that fit are under contract for a while. */
  NO_FREE_SLOT,
  /** Higher bids took the slots. */
  OUTBID,
  /** Every free slot asks for more than it bids. */
  BELOW_RESERVE,
  /** The market is thin and it bids less than the posted price. */
  BELOW_POSTED,
  /** The market is thin and every free slot asks for more than the posted price. */
  POSTED_BELOW_RESERVE,
  /** Its escrow does not cover one task of the estimated size. */
  MONEY_SHORT,
  /** Its deadline is over. */
  DEADLINE_PASSED,
  /** Its program, or the key that signed it, was revoked. */
  PROGRAM_REVOKED,
  /** Others with fewer slots come first. */
  SHARE_TAKEN,
  /** The bag ended or does not bid any more. */
  BAG_ENDED,
  /** It has fewer tasks left than slots. */
  FEWER_TASKS,
  /** The launcher's offer is gone. */
  OFFER_GONE,
  /** The launcher offers fewer slots than are under contract. */
  FEWER_SLOTS,
  /** Its quantum was over and it did not win again, or only at another price. */
  QUANTUM_OVER,
  /** A user with fewer slots needs it more. */
  SHARE_EVENED,
  /** The round's figures are published. */
  CLEARED
}
