package io.gleaner.limits;

/**
 * How often each may ask, the one table of it: each member and user for itself, over all its
 * connections to one node.
 *
 * @param device operations over the gateway, of a browser too
 * @param application operations over the gateway
 * @param user requests to console and REST, over all sessions and tokens
 */
public record Rates(Pace device, Pace application, Pace user) {

  /** Programs ask as fast as a node answers; devices and people do not need to. */
  public static Rates standard() {
    return new Rates(new Pace(10_000, 2_000), ofApplication(100_000), new Pace(4_000, 2_000));
  }

  /** The same, but programs ask so often a second, and for two seconds' worth at once. */
  public Rates withApplication(int perSecond) {
    return new Rates(device, ofApplication(perSecond), user);
  }

  private static Pace ofApplication(int perSecond) {
    return new Pace((int) Math.min(2L * perSecond, Integer.MAX_VALUE), perSecond);
  }
}
