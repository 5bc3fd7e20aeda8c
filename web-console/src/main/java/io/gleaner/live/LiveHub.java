package io.gleaner.live;

import io.gleaner.bag.Bags;
import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.http.Json;
import io.gleaner.http.OffLoop;
import io.gleaner.maker.MarketView;
import io.gleaner.secrets.Secret;
import io.gleaner.signin.Caller;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes what changed, once for all streams: bags that their register names, and the market by
 * looking at it four times a second.
 *
 * <p>Thread rule: everything but {@link #changed} and {@link #position} belongs to the event loop
 * that {@link #start} ran on. Events are hints: a client that missed too many gets the present
 * state instead.
 */
public final class LiveHub implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveHub.class);
  private static final long LOOK_MILLIS = 250;
  private static final long KEEP_ALIVE_MILLIS = 15_000;
  private static final int EVENTS_KEPT = 1024;
  private static final int BAGS_AT_A_TIME = 200;

  private final Vertx vertx;
  private final OffLoop offLoop;
  private final Bags bags;
  private final MarketView market;
  private final InstantSource clock;
  private final int maxStreams;
  private final int maxStreamsPerCaller;
  private final Predicate<Caller> stillSignedIn;

  private final String run = Secret.random().reveal().substring(0, 8).replace('-', '_');
  private final Set<String> changed = ConcurrentHashMap.newKeySet();
  private final Set<EventStream> streams = new LinkedHashSet<>();
  private final Deque<LiveEvent> kept = new ArrayDeque<>();
  private volatile long sequence;
  private volatile MarketSnapshot snapshot;
  private boolean reading;
  private long lookTimer;
  private long keepAliveTimer;
  private AutoCloseable subscription = () -> {};

  /**
   * A hub that is not started.
   *
   * @param stillSignedIn asked at each keep-alive; a stream of somebody who signed out ends
   */
  public LiveHub(
      Vertx vertx,
      OffLoop offLoop,
      Bags bags,
      MarketView market,
      InstantSource clock,
      int maxStreams,
      int maxStreamsPerCaller,
      Predicate<Caller> stillSignedIn) {
    this.vertx = vertx;
    this.offLoop = offLoop;
    this.bags = bags;
    this.market = market;
    this.clock = clock;
    this.maxStreams = maxStreams;
    this.maxStreamsPerCaller = maxStreamsPerCaller;
    this.stillSignedIn = stillSignedIn;
    this.snapshot = MarketSnapshot.of(market);
  }

  /** Begins to publish; call it on the event loop that serves the streams. */
  public void start() {
    if (!Context.isOnEventLoopThread()) {
      throw new IllegalStateException("the hub starts on the event loop that serves its streams");
    }
    subscription = bags.onChange(changed::add);
    lookTimer = vertx.setPeriodic(LOOK_MILLIS, timer -> look());
    keepAliveTimer = vertx.setPeriodic(KEEP_ALIVE_MILLIS, timer -> keepAlive());
  }

  /** The id of the last event: a page made now misses nothing if its stream begins after it. */
  public String position() {
    return run + "-" + sequence;
  }

  /** The market as last looked at. */
  public MarketSnapshot market() {
    return snapshot;
  }

  /**
   * Adds a stream and sends it what it missed.
   *
   * @param lastId the id of the last event that the client got, if it got any
   * @throws ConsoleException TOO_MANY over the limits
   */
  void add(EventStream stream, Optional<String> lastId) {
    long ofCaller =
        streams.stream()
            .filter(other -> other.caller().name().equals(stream.caller().name()))
            .count();
    if (streams.size() >= maxStreams || ofCaller >= maxStreamsPerCaller) {
      throw new ConsoleException(
          Code.TOO_MANY,
          "there are too many open event streams; close a page of this console and try again");
    }
    streams.add(stream);
    Optional<Long> from = lastId.flatMap(this::sequenceOf);
    if (from.isPresent() && keptSince(from.get())) {
      kept.stream().filter(event -> event.sequence() > from.get()).forEach(stream::offer);
    } else {
      stream.send(Buffer.buffer("id: " + position() + "\nevent: reset\ndata: {}\n\n"));
      stream.offer(marketEvent(sequence));
    }
  }

  void remove(EventStream stream) {
    streams.remove(stream);
  }

  /** How many clients listen. */
  public int streams() {
    return streams.size();
  }

  /** Ends every stream and stops; call it on the hub's event loop. */
  @Override
  public void close() throws Exception {
    vertx.cancelTimer(lookTimer);
    vertx.cancelTimer(keepAliveTimer);
    subscription.close();
    List.copyOf(streams).forEach(EventStream::end);
    streams.clear();
  }

  private void look() {
    MarketSnapshot now = MarketSnapshot.of(market);
    if (!now.equals(snapshot)) {
      snapshot = now;
      publish(marketEvent(sequence + 1));
    }
    if (!changed.isEmpty() && !reading) {
      reading = true;
      readChanged().onComplete(done -> reading = false);
    }
  }

  private Future<?> readChanged() {
    List<String> ids = changed.stream().limit(BAGS_AT_A_TIME).toList();
    // Removed before they are read: a change in between is read again.
    ids.forEach(changed::remove);
    return offLoop
        .call(
            () -> {
              List<Bags.Summary> found = new ArrayList<>();
              ids.forEach(id -> bags.find(id).ifPresent(found::add));
              return found;
            })
        .onSuccess(found -> found.forEach(this::publishBag))
        .onFailure(
            failure -> {
              changed.addAll(ids);
              LOG.warn("changed bags could not be read, next look tries again", failure);
            });
  }

  private void publishBag(Bags.Summary bag) {
    BagView view = BagView.of(bag, clock.instant());
    publish(
        LiveEvent.of(
            run,
            sequence + 1,
            "bag",
            Optional.of(bag.owner()),
            Optional.of(bag.jobId()),
            Json.encode(view)));
  }

  private LiveEvent marketEvent(long id) {
    return LiveEvent.of(
        run, id, "market", Optional.empty(), Optional.empty(), Json.encode(snapshot));
  }

  private void publish(LiveEvent event) {
    kept.add(event);
    if (kept.size() > EVENTS_KEPT) {
      kept.remove();
    }
    sequence = event.sequence();
    for (EventStream stream : List.copyOf(streams)) {
      stream.offer(event);
      if (stream.isCutOff()) {
        LOG.info("a stream of {} did not keep up and was cut off", stream.caller().name());
        streams.remove(stream);
      }
    }
  }

  private void keepAlive() {
    for (EventStream stream : List.copyOf(streams)) {
      if (stillSignedIn.test(stream.caller())) {
        stream.comment("still here");
      } else {
        stream.end();
        streams.remove(stream);
      }
    }
  }

  private Optional<Long> sequenceOf(String id) {
    if (!id.startsWith(run + "-")) {
      return Optional.empty();
    }
    try {
      return Optional.of(Long.parseLong(id.substring(run.length() + 1)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private boolean keptSince(long from) {
    if (from > sequence || from < 0) {
      return false;
    }
    return from == sequence || (!kept.isEmpty() && kept.peek().sequence() <= from + 1);
  }
}
