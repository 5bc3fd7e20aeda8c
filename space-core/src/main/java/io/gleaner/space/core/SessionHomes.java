package io.gleaner.space.core;

import io.gleaner.leasing.Deadlines;
import io.gleaner.space.SpaceEngine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * The sessions that were opened in this cell: how long they live, and which cells know them.
 *
 * <p>A lease runs in two halves, the second from the moment at which the end of the first was seen:
 * a cell that stood still leaves clients the time to be heard before it ends their sessions.
 */
final class SessionHomes {
  private final Context context;
  private final LongConsumer over;
  private final Map<Name, Long> byName = new LinkedHashMap<>();
  private final Map<Long, Home> open = new LinkedHashMap<>();
  private final Map<Long, Leaving> ending = new LinkedHashMap<>();

  private record Name(String holder, long number) {}

  private static final class Home {
    final Name name;
    final long leaseMillis;
    Deadlines.Handle expiry;
    boolean halfOver;
    long tenure;
    final Set<Integer> parts = new LinkedHashSet<>();
    final Set<Long> cancelled = new LinkedHashSet<>();
    long low;

    Home(Name name, long leaseMillis) {
      this.name = name;
      this.leaseMillis = leaseMillis;
    }
  }

  /** A session whose parts have not all gone yet. */
  private record Leaving(Set<Integer> parts, List<Caller> callers) {}

  /**
   * @param over ends what a session has in this cell
   */
  SessionHomes(Context context, LongConsumer over) {
    this.context = context;
    this.over = over;
  }

  void on(Message.Open message) {
    Name name = new Name(message.holder(), message.name());
    Long session = byName.get(name);
    if (session == null && message.begins()) {
      session = begin(name, message.leaseMillis());
    }
    if (session == null) {
      opened(message.caller(), 0, 0);
    } else {
      renew(session);
      Home home = open.get(session);
      home.tenure = Math.max(home.tenure, message.tenure());
      opened(message.caller(), session, home.leaseMillis);
    }
  }

  private long begin(Name name, long wantedMillis) {
    long session = context.ids.next();
    long most = context.limits.leases().sessionMillis();
    open.put(session, new Home(name, LeaseCaps.granted(wantedMillis, most)));
    byName.put(name, session);
    return session;
  }

  private void opened(Caller caller, long session, long leaseMillis) {
    if (caller != Caller.NOBODY) {
      context.out().opened(caller, session, leaseMillis);
    }
  }

  void on(Message.Renew message) {
    for (long session : message.sessions()) {
      renew(session);
    }
  }

  /** Every lease starts anew. */
  void restartLeases() {
    open.keySet().forEach(this::renew);
  }

  private void renew(long session) {
    Home home = open.get(session);
    if (home != null) {
      home.halfOver = false;
      expireAfter(session, home, home.leaseMillis - home.leaseMillis / 2);
    }
  }

  private void expireAfter(long session, Home home, long millis) {
    cancelExpiry(home);
    home.expiry =
        context.deadlines.add(
            Deadlines.after(context.now(), millis), () -> halfIsOver(session, home));
  }

  private void cancelExpiry(Home home) {
    if (home.expiry != null) {
      context.deadlines.cancel(home.expiry);
    }
  }

  private void halfIsOver(long session, Home home) {
    if (home.halfOver) {
      end(session);
    } else {
      home.halfOver = true;
      expireAfter(session, home, home.leaseMillis / 2);
    }
  }

  void on(Message.Attach message) {
    Home home = open.get(message.session());
    if (home != null) {
      home.parts.add(message.from());
    }
    context.send(
        message.from(),
        new Message.Attached(
            message.session(),
            message.attempt(),
            home != null,
            home == null ? List.of() : List.copyOf(home.cancelled)));
  }

  /** Tells every part now and then what the client has heard, so that idle parts keep nothing. */
  void on(Message.Acknowledged message) {
    Home home = open.get(message.session());
    if (home != null && message.low() - home.low >= SpaceEngine.WINDOW) {
      home.low = message.low();
      for (int part : home.parts) {
        context.send(part, new Message.Forget(message.session(), message.low()));
      }
    }
  }

  /** Tells every part, those that are still to come included, that a call is not waited for. */
  void cancel(long session, long sequence, long low) {
    Home home = open.get(session);
    if (home != null) {
      home.cancelled.removeIf(each -> each < low);
      home.cancelled.add(sequence);
      for (int part : home.parts) {
        context.send(part, new Message.CancelCall(session, sequence));
      }
    }
  }

  void on(Message.Close message) {
    Home home = open.get(message.session());
    if (home != null && home.tenure <= message.tenure()) {
      end(message.session());
    }
    Leaving end = ending.get(message.session());
    if (end == null) {
      closed(message.caller());
    } else {
      end.callers().add(message.caller());
      finish(message.session(), end);
    }
  }

  private void end(long session) {
    Home home = open.remove(session);
    if (home == null) {
      return;
    }
    cancelExpiry(home);
    byName.remove(home.name);
    Leaving end = new Leaving(home.parts, new ArrayList<>());
    ending.put(session, end);
    for (int part : home.parts) {
      context.send(part, new Message.EndPart(session));
    }
    finish(session, end);
    over.accept(session);
  }

  void on(Message.PartEnded message) {
    Leaving end = ending.get(message.session());
    if (end != null && end.parts().remove(message.from())) {
      finish(message.session(), end);
    }
  }

  private void finish(long session, Leaving end) {
    if (end.parts().isEmpty()) {
      ending.remove(session);
      end.callers().forEach(this::closed);
    }
  }

  private void closed(Caller caller) {
    if (caller != Caller.NOBODY) {
      context.out().closed(caller);
    }
  }

  int size() {
    return open.size() + ending.size();
  }

  void save(StateWriter to) {
    to.count(open.size());
    open.forEach(
        (session, home) -> {
          to.secret(session);
          to.text(home.name.holder());
          to.secret(home.name.number());
          to.number(home.leaseMillis);
          to.handle(home.expiry);
          to.flag(home.halfOver);
          to.number(home.tenure);
          to.list(home.parts, StateWriter::size);
          to.list(home.cancelled, StateWriter::number);
          to.number(home.low);
        });
    to.count(ending.size());
    ending.forEach(
        (session, end) -> {
          to.secret(session);
          to.list(end.parts(), StateWriter::size);
        });
  }

  void load(StateReader from) {
    for (int rest = from.size(); rest > 0; rest--) {
      long session = from.secret();
      Home home = new Home(new Name(from.text(), from.secret()), from.number());
      open.put(session, home);
      byName.put(home.name, session);
      home.expiry = from.handle();
      context.deadlines.restore(home.expiry, () -> halfIsOver(session, home));
      home.halfOver = from.flag();
      home.tenure = from.number();
      home.parts.addAll(from.list(StateReader::size));
      home.cancelled.addAll(from.list(StateReader::number));
      home.low = from.number();
    }
    for (int rest = from.size(); rest > 0; rest--) {
      ending.put(
          from.secret(),
          new Leaving(new LinkedHashSet<>(from.list(StateReader::size)), new ArrayList<>()));
    }
  }
}
