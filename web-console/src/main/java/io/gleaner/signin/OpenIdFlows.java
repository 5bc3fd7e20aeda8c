package io.gleaner.signin;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The sign-ins that are under way: each is taken once, within ten minutes. When there are too many,
 * the oldest of the same network goes, so that nobody pushes others out. To be used on one event
 * loop.
 */
final class OpenIdFlows {
  static final Duration LONGEST = Duration.ofMinutes(10);

  private final InstantSource clock;
  private final int mostOfNetwork;
  private final int most;
  // By state, the oldest first.
  private final Map<String, OpenIdFlow> byState = new LinkedHashMap<>();

  /** A hundred of a network, five thousand in all. */
  OpenIdFlows(InstantSource clock) {
    this(clock, 100, 5_000);
  }

  OpenIdFlows(InstantSource clock, int mostOfNetwork, int most) {
    this.clock = clock;
    this.mostOfNetwork = mostOfNetwork;
    this.most = most;
  }

  void begin(OpenIdFlow flow) {
    Instant now = clock.instant();
    byState.values().removeIf(each -> isOver(each, now));
    long ofNetwork =
        byState.values().stream().filter(each -> each.network().equals(flow.network())).count();
    if (ofNetwork >= mostOfNetwork) {
      removeOldest(flow.network());
    } else if (byState.size() >= most) {
      byState.remove(byState.keySet().iterator().next());
    }
    byState.put(flow.state().reveal(), flow);
  }

  /**
   * The flow of that state, which nobody gets again; empty if there is none or it took too long.
   */
  Optional<OpenIdFlow> take(String state) {
    return Optional.ofNullable(byState.remove(state))
        .filter(flow -> !isOver(flow, clock.instant()));
  }

  int count() {
    return byState.size();
  }

  private void removeOldest(String network) {
    Iterator<OpenIdFlow> oldest = byState.values().iterator();
    while (!oldest.next().network().equals(network)) {
      // Somebody else's.
    }
    oldest.remove();
  }

  private static boolean isOver(OpenIdFlow flow, Instant now) {
    return !now.isBefore(flow.began().plus(LONGEST));
  }
}
