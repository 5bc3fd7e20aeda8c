package io.gleaner.signin;

import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.identity.AddressNetwork;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Sign-ins under way: no address, of IPv6 no network of 64 bits, and no name takes all the places
 * where passwords are hashed. Safe for all threads; guarded by its monitor.
 */
final class SignInPlaces {
  static final int MOST_OF_ADDRESS = 10;
  static final int MOST_OF_NAME = 5;

  private final Map<String, Integer> underWay = new HashMap<>();

  /** Begins the work, unless too many of that address or name are under way. */
  <T> Future<T> within(String address, String name, Supplier<Future<T>> work) {
    String from = "from " + AddressNetwork.of(address);
    String as = "as " + name;
    if (!enters(from, MOST_OF_ADDRESS)) {
      return refused("from your address");
    }
    if (!enters(as, MOST_OF_NAME)) {
      leaves(from);
      return refused("of this name");
    }
    return work.get()
        .onComplete(
            done -> {
              leaves(as);
              leaves(from);
            });
  }

  private static <T> Future<T> refused(String whose) {
    return Future.failedFuture(
        new ConsoleException(
            Code.BUSY, "too many sign-ins " + whose + " wait here already; try again"));
  }

  private synchronized boolean enters(String who, int most) {
    int there = underWay.getOrDefault(who, 0);
    if (there < most) {
      underWay.put(who, there + 1);
    }
    return there < most;
  }

  private synchronized void leaves(String who) {
    underWay.computeIfPresent(who, (w, there) -> there == 1 ? null : there - 1);
  }
}
