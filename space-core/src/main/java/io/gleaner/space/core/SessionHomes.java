package io.gleaner.space.core;

import io.gleaner.space.SpaceEngine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The sessions that were opened in this cell: whether they live, and which cells know them. */
final class SessionHomes {
  private final Context context;
  private final Map<Long, Home> open = new LinkedHashMap<>();
  private final Map<Long, Leaving> ending = new LinkedHashMap<>();

  private static final class Home {
    final Set<Integer> parts = new LinkedHashSet<>();
    final Set<Long> cancelled = new LinkedHashSet<>();
    long low;
  }

  /** A session whose parts have not all gone yet. */
  private record Leaving(Set<Integer> parts, List<Caller> callers) {}

  SessionHomes(Context context) {
    this.context = context;
  }

  void on(Message.Open message) {
    long session = context.ids.next();
    open.put(session, new Home());
    if (message.caller() != Caller.NOBODY) {
      context.out().opened(message.caller(), session);
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

  /** True if the session lived until now. */
  boolean close(Message.Close message) {
    Home home = open.remove(message.session());
    if (home != null) {
      ending.put(message.session(), new Leaving(home.parts, new ArrayList<>()));
      for (int part : home.parts) {
        context.send(part, new Message.EndPart(message.session()));
      }
    }
    Leaving end = ending.get(message.session());
    if (end == null) {
      closed(message.caller());
    } else {
      end.callers().add(message.caller());
      finish(message.session(), end);
    }
    return home != null;
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
      Home home = new Home();
      open.put(from.secret(), home);
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
