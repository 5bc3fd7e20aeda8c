package io.gleaner.mechanism;

/**
 * Terms of a pool's call market.
 *
 * @param thinMarket what happens in a thin class
 * @param thinOwners a class with fewer distinct owners on a side is thin
 * @param postedMicrosPerUnit posted price until a call has found one
 */
public record CallTerms(ThinMarket thinMarket, int thinOwners, long postedMicrosPerUnit) {
  public CallTerms {
    if (thinOwners < 1 || postedMicrosPerUnit < 0) {
      throw new IllegalArgumentException(
          "thin owners must be at least 1 and the posted price at least 0, not "
              + thinOwners
              + " and "
              + postedMicrosPerUnit);
    }
  }

  /** Thin under five owners, then posted at one credit for a unit. */
  public static CallTerms defaults() {
    return new CallTerms(ThinMarket.POSTED, 5, 1_000_000);
  }

  public CallTerms with(ThinMarket thinMarket) {
    return new CallTerms(thinMarket, thinOwners, postedMicrosPerUnit);
  }
}
