package io.gleaner.maker;

import io.gleaner.book.Book;
import io.gleaner.book.Offer;
import io.gleaner.maker.MarketView.LauncherStatus;
import io.gleaner.tuple.StatusEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Launchers by what they say of themselves; one that fell silent is shown as gone for an hour. Used
 * by the market-maker's thread only.
 */
final class Presence {
  private static final Duration REMEMBERED = Duration.ofHours(1);

  private record Heard(LauncherStatus status, Instant at) {}

  private final Map<String, Heard> heard = new HashMap<>();

  /** Every launcher that is there or was a while ago, by id. */
  List<LauncherStatus> of(Book book, List<StatusEntry> statuses, Instant now) {
    Set<String> there = new HashSet<>();
    for (Offer offer : book.offers()) {
      there.add(offer.launcherId());
      heard.put(offer.launcherId(), new Heard(offering(offer), now));
    }
    for (StatusEntry entry : statuses) {
      if (entry.launcherId != null) {
        there.add(entry.launcherId);
        heard.put(entry.launcherId, new Heard(status(entry), now));
      }
    }
    Map<String, LauncherStatus> shown = new TreeMap<>();
    Iterator<Heard> all = heard.values().iterator();
    while (all.hasNext()) {
      Heard last = all.next();
      String id = last.status().launcherId();
      if (there.contains(id)) {
        shown.put(id, last.status());
      } else if (last.at().plus(REMEMBERED).isBefore(now)) {
        all.remove();
      } else {
        shown.put(id, gone(last));
      }
    }
    return new ArrayList<>(shown.values());
  }

  private static LauncherStatus offering(Offer offer) {
    return new LauncherStatus(
        offer.launcherId(),
        offer.owner(),
        "offering",
        "it has not said more",
        offer.slots(),
        offer.microUnitsPerSecond(),
        List.of(),
        0,
        0);
  }

  private static LauncherStatus status(StatusEntry entry) {
    return new LauncherStatus(
        entry.launcherId,
        text(entry.owner),
        text(entry.state),
        text(entry.reason),
        entry.slots == null ? 0 : entry.slots,
        entry.microUnitsPerSecond == null ? 0 : entry.microUnitsPerSecond,
        entry.running == null ? List.of() : List.copyOf(entry.running),
        entry.completed == null ? 0 : entry.completed,
        entry.meteredMicroUnits == null ? 0 : entry.meteredMicroUnits);
  }

  private static String text(String told) {
    return told == null ? "" : told;
  }

  private static LauncherStatus gone(Heard last) {
    LauncherStatus status = last.status();
    return new LauncherStatus(
        status.launcherId(),
        status.owner(),
        "gone",
        "not heard of since " + last.at(),
        0,
        status.microUnitsPerSecond(),
        List.of(),
        status.completed(),
        status.meteredMicroUnits());
  }
}
