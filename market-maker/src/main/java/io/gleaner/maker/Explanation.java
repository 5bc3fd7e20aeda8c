package io.gleaner.maker;

import io.gleaner.book.Reason;
import io.gleaner.ledger.Credits;

/** Says in one sentence what a rule decided, with its figures. */
final class Explanation {
  private Explanation() {}

  /** Why a bag has no slot. */
  static String waits(Reason reason) {
    String line = "it is number " + reason.rank() + " of " + reason.depth();
    return switch (reason.rule()) {
      case NO_OFFERS -> "Waits: no launcher offers anything now.";
      case NO_SUCH_KIND -> "Waits: no launcher that offers now runs this kind of task.";
      case TOO_LITTLE_MEMORY -> "Waits: no launcher that offers now has the memory it asks for.";
      case NOT_ALLOWED_THERE ->
          "Waits: no launcher that offers now is one where the bag allows itself to run.";
      case SIGNER_NOT_TRUSTED ->
          "Waits: no launcher that offers now trusts the signer of its program.";
      case PROGRAM_REFUSED ->
          "Waits: no launcher that offers now runs its program, which may be older than one of the"
              + " same name that they have run; submit it with the newest.";
      case NO_FREE_SLOT ->
          "Waits: all slots that fit are under contract until their quantum ends; " + line + ".";
      case OUTBID ->
          "Waits: higher bids took the "
              + reason.slots()
              + " slots; "
              + line
              + " with "
              + price(reason.bidMicrosPerUnit())
              + ", the price was "
              + price(reason.priceMicrosPerUnit())
              + ".";
      case BELOW_RESERVE ->
          "Waits: it bids "
              + price(reason.bidMicrosPerUnit())
              + " and the cheapest free slot that fits asks for "
              + price(reason.priceMicrosPerUnit())
              + "; "
              + line
              + ".";
      case BELOW_POSTED ->
          "Waits: it bids "
              + price(reason.bidMicrosPerUnit())
              + " and the posted price is "
              + price(reason.priceMicrosPerUnit())
              + "; "
              + line
              + ".";
      case POSTED_BELOW_RESERVE ->
          "Waits: the cheapest free slot that fits asks for "
              + price(reason.priceMicrosPerUnit())
              + ", more than the posted price.";
      case MONEY_SHORT ->
          "Waits: what is left in its escrow covers a price of "
              + price(reason.bidMicrosPerUnit())
              + ", and one task of the estimated size would cost "
              + Credits.text(reason.priceMicrosPerUnit())
              + " credits at its bid.";
      case DEADLINE_PASSED -> "Waits: its deadline is over, so nothing of it is started.";
      case PROGRAM_REVOKED ->
          "Waits: its program, or the key that signed it, was revoked, so nothing of it runs; cancel"
              + " the bag.";
      case SHARE_TAKEN ->
          "Waits: its user holds "
              + reason.slots()
              + " slots and is number "
              + reason.rank()
              + " of "
              + reason.depth()
              + " in the line for the next.";
      case WON,
          WON_AGAIN,
          SHARE,
          BAG_ENDED,
          FEWER_TASKS,
          OFFER_GONE,
          FEWER_SLOTS,
          QUANTUM_OVER,
          SHARE_EVENED,
          CLEARED ->
          "Waits: " + reason.rule() + ".";
    };
  }

  static String price(long microsPerUnit) {
    return Credits.text(microsPerUnit) + " credits per unit";
  }
}
