package io.gleaner.api.rest;

import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tells who watches a bag that it changed: one event stream for all bags of a connection, opened
 * with the first watcher and again whenever it breaks.
 *
 * <p>Events are hints. Every watcher is also nudged after each break and every few seconds, so that
 * a lost event costs time and nothing else. Watchers are called on threads of this class or of the
 * HTTP client and must not block. Safe for all threads.
 */
public final class BagEvents implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BagEvents.class);
  private static final Duration SWEEP = Duration.ofSeconds(5);
  private static final Duration REOPEN = Duration.ofSeconds(1);
  private static final int MOST_DOUBLINGS = 4;
  private static final JsonMapper JSON = JsonMapper.shared();

  private final RestClient rest;
  private final Map<String, List<Consumer<Optional<JsonNode>>>> watchers =
      new ConcurrentHashMap<>();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(daemons("gleaner-events"));

  /** Guarded by this. */
  private Optional<CompletableFuture<?>> stream = Optional.empty();

  /** Streams that ended since the last one that began; guarded by this. */
  private int broken;

  /** Guarded by this. */
  private boolean closed;

  /** Guarded by this. */
  private boolean started;

  public BagEvents(RestClient rest) {
    this.rest = rest;
  }

  /** Threads that do not keep a program alive. */
  public static ThreadFactory daemons(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * Watches a bag.
   *
   * @param changed gets the bag as it is now, or nothing if it has to be asked for
   * @return ends it
   */
  public Runnable watch(String bagId, Consumer<Optional<JsonNode>> changed) {
    watchers.compute(
        bagId,
        (id, list) -> {
          List<Consumer<Optional<JsonNode>>> all =
              list == null ? new CopyOnWriteArrayList<>() : list;
          all.add(changed);
          return all;
        });
    start();
    return () ->
        watchers.computeIfPresent(
            bagId,
            (id, list) -> {
              list.remove(changed);
              return list.isEmpty() ? null : list;
            });
  }

  private synchronized void start() {
    if (!started && !closed) {
      started = true;
      var unused =
          clock.scheduleWithFixedDelay(
              this::nudgeAll, SWEEP.toMillis(), SWEEP.toMillis(), TimeUnit.MILLISECONDS);
      open();
    }
  }

  private synchronized void open() {
    if (closed) {
      return;
    }
    CompletableFuture<HttpResponse<Void>> opened =
        rest.http()
            .sendAsync(
                rest.request("/api/v1/events").header("Accept", "text/event-stream").build(),
                answer ->
                    answer.statusCode() == 200
                        ? BodyHandlers.fromLineSubscriber(new Lines()).apply(answer)
                        : BodyHandlers.discarding().apply(answer));
    stream = Optional.of(opened);
    var unused = opened.whenComplete((answer, failure) -> ended(answer, failure));
  }

  private synchronized void ended(HttpResponse<Void> answer, Throwable failure) {
    if (closed) {
      return;
    }
    LOG.debug(
        "the event stream of {} ended: {}",
        rest.console(),
        failure == null ? "status " + answer.statusCode() : failure.toString());
    long pauseMillis = REOPEN.toMillis() << Math.min(broken, MOST_DOUBLINGS);
    broken++;
    var unused = clock.schedule(this::open, pauseMillis, TimeUnit.MILLISECONDS);
  }

  private synchronized void began() {
    broken = 0;
  }

  private void nudgeAll() {
    watchers.keySet().forEach(id -> tell(id, Optional.empty()));
  }

  private void tell(String bagId, Optional<JsonNode> bag) {
    for (Consumer<Optional<JsonNode>> watcher : watchers.getOrDefault(bagId, List.of())) {
      try {
        watcher.accept(bag);
      } catch (RuntimeException | Error e) {
        LOG.error("a watcher of bag {} failed", bagId, e);
      }
    }
  }

  @Override
  public void close() {
    Optional<CompletableFuture<?>> open;
    synchronized (this) {
      closed = true;
      open = stream;
      stream = Optional.empty();
    }
    clock.shutdownNow();
    open.ifPresent(exchange -> exchange.cancel(true));
    watchers.clear();
  }

  /** The lines of one stream, put together to events. */
  private final class Lines implements Flow.Subscriber<String> {
    private String type = "";
    private String data = "";

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
      began();
      // What happened before this stream began is not told by it.
      nudgeAll();
    }

    @Override
    public void onNext(String line) {
      if (line.startsWith("event: ")) {
        type = line.substring("event: ".length());
      } else if (line.startsWith("data: ")) {
        data = line.substring("data: ".length());
      } else if (line.isEmpty()) {
        event(type, data);
        type = "";
        data = "";
      }
    }

    private void event(String kind, String json) {
      if (kind.equals("reset")) {
        nudgeAll();
      } else if (kind.equals("bag")) {
        try {
          JsonNode bag = JSON.readTree(json);
          tell(bag.path("id").asString(""), Optional.of(bag));
        } catch (JacksonException e) {
          LOG.warn("an event of {} is not JSON, asking instead", rest.console(), e);
          nudgeAll();
        }
      }
    }

    @Override
    public void onError(Throwable failure) {
      LOG.debug("the event stream of {} broke", rest.console(), failure);
    }

    @Override
    public void onComplete() {
      LOG.debug("the event stream of {} ended in order", rest.console());
    }
  }
}
