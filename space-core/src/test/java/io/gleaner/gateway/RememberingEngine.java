package io.gleaner.gateway;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Command;
import io.gleaner.space.LeaseId;
import io.gleaner.space.NodeEngine;
import io.gleaner.space.Receipt;
import io.gleaner.space.Reply;
import io.gleaner.space.Reply.Refusal;
import io.gleaner.space.SessionName;
import io.gleaner.space.SpaceEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The smallest engine that keeps the promises the gateway relies on: writes, reads and takes that
 * wait, and one answer per (session, sequence). Guarded by its monitor.
 */
final class RememberingEngine implements NodeEngine {
  private record Waiter(
      long session, long sequence, Command.Match match, CompletableFuture<Reply> reply) {}

  private final List<EncodedEntry> entries = new ArrayList<>();
  private final List<Waiter> waiters = new ArrayList<>();
  private final Map<Long, Map<Long, CompletableFuture<Reply>>> answers = new LinkedHashMap<>();
  private final Map<Long, Consumer<SpaceEvent>> listeners = new HashMap<>();
  private final Map<SessionName, Long> names = new HashMap<>();
  private final Map<Long, Long> tenures = new HashMap<>();
  private final List<String> holders = new ArrayList<>();
  private long lastSession;
  private long lastId;
  private int effects;

  @Override
  public synchronized CompletableFuture<Long> open(String holder, Consumer<SpaceEvent> events) {
    holders.add(holder);
    long session = ++lastSession;
    answers.put(session, new HashMap<>());
    listeners.put(session, events);
    return CompletableFuture.completedFuture(session);
  }

  @Override
  public synchronized CompletableFuture<Long> open(
      SessionName name, long tenure, boolean begins, Consumer<SpaceEvent> events) {
    Long known = names.get(name);
    if (known != null && answers.containsKey(known)) {
      listeners.put(known, events);
      tenures.merge(known, tenure, Math::max);
      return CompletableFuture.completedFuture(known);
    }
    if (!begins) {
      return CompletableFuture.completedFuture(0L);
    }
    CompletableFuture<Long> opened = open(name.holder(), events);
    names.put(name, opened.join());
    tenures.put(opened.join(), tenure);
    return opened;
  }

  @Override
  public void leave(long session, long tenure) {}

  @Override
  public synchronized CompletableFuture<Void> close(long session, long tenure) {
    return tenures.getOrDefault(session, 0L) > tenure
        ? CompletableFuture.completedFuture(null)
        : close(session);
  }

  @Override
  public CompletableFuture<List<EncodedEntry>> taken(
      String space, long transaction, EncodedEntry template) {
    return CompletableFuture.completedFuture(List.of());
  }

  @Override
  public boolean outlivesNode() {
    return false;
  }

  @Override
  public synchronized CompletableFuture<Reply> execute(
      long session, long sequence, long lowestUnanswered, Command command, Receipt receipt) {
    Map<Long, CompletableFuture<Reply>> kept = answers.get(session);
    if (kept == null) {
      return CompletableFuture.completedFuture(
          new Reply.Refused(Refusal.UNKNOWN_SESSION, "no such session"));
    }
    kept.keySet().removeIf(s -> s < lowestUnanswered);
    CompletableFuture<Reply> before = kept.get(sequence);
    if (before != null) {
      return before.copy();
    }
    CompletableFuture<Reply> reply = decide(session, sequence, command);
    kept.put(sequence, reply);
    return reply.copy();
  }

  private CompletableFuture<Reply> decide(long session, long sequence, Command command) {
    effects++;
    if (command instanceof Command.Write write) {
      entries.addAll(write.entries());
      serveWaiters();
      listeners.forEach((s, l) -> tell(l, write.entries().get(0)));
      return CompletableFuture.completedFuture(
          new Reply.Written(
              write.leaseMillis().stream()
                  .map(m -> new Reply.Granted(new LeaseId(LeaseId.Kind.ENTRY, "b", ++lastId), m))
                  .toList()));
    }
    if (command instanceof Command.Match match) {
      List<EncodedEntry> found = find(match);
      if (!found.isEmpty() || match.timeoutMillis() == 0) {
        return CompletableFuture.completedFuture(new Reply.Matched(found));
      }
      Waiter waiter = new Waiter(session, sequence, match, new CompletableFuture<>());
      waiters.add(waiter);
      return waiter.reply;
    }
    return CompletableFuture.completedFuture(new Reply.Done());
  }

  @Override
  public synchronized CompletableFuture<Void> close(long session) {
    answers.remove(session);
    listeners.remove(session);
    waiters.removeIf(w -> w.session == session && w.reply.complete(new Reply.Matched(List.of())));
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void close() {}

  synchronized int entryCount() {
    return entries.size();
  }

  synchronized int waiterCount() {
    return waiters.size();
  }

  synchronized int sessionCount() {
    return answers.size();
  }

  /** Operations that were decided, retries left out. */
  synchronized int effects() {
    return effects;
  }

  synchronized List<String> holders() {
    return List.copyOf(holders);
  }

  private void tell(Consumer<SpaceEvent> listener, EncodedEntry entry) {
    listener.accept(new SpaceEvent(1, ++lastId, java.util.Optional.of(entry), true));
  }

  private void serveWaiters() {
    for (Iterator<Waiter> i = waiters.iterator(); i.hasNext(); ) {
      Waiter waiter = i.next();
      List<EncodedEntry> found = find(waiter.match);
      if (!found.isEmpty()) {
        i.remove();
        waiter.reply.complete(new Reply.Matched(found));
      }
    }
  }

  private List<EncodedEntry> find(Command.Match match) {
    List<EncodedEntry> found = new ArrayList<>();
    for (Iterator<EncodedEntry> i = entries.iterator(); i.hasNext(); ) {
      EncodedEntry entry = i.next();
      if (found.size() < match.limit()
          && match.templates().stream().anyMatch(template -> template.matches(entry))) {
        found.add(entry);
        if (match.mode().takes()) {
          i.remove();
        }
      }
    }
    return found;
  }
}
