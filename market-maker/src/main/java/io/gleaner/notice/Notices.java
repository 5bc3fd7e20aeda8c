package io.gleaner.notice;

import io.gleaner.description.BagDescription;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides notices inside the transaction of what happened and sends them on threads of its own.
 * Safe for all threads.
 *
 * <p>A notice is decided once and sent at least once: a node that stops between sending and noting
 * it sends it again, under the same key.
 */
public final class Notices implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Notices.class);
  private static final int BATCH = 200;
  private static final long POLL_MILLIS = 1000;

  private final DataSource database;
  private final NoticeSettings settings;
  private final InstantSource clock;
  private final Map<Channel.Kind, Channel> channels = new EnumMap<>(Channel.Kind.class);
  private final AtomicBoolean woken = new AtomicBoolean();
  private final Deliveries deliveries = new Deliveries();
  private final ScheduledExecutorService sender =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "bag-notices");
            thread.setDaemon(true);
            return thread;
          });

  private Notices(DataSource database, NoticeSettings settings, InstantSource clock) {
    this.database = database;
    this.settings = settings;
    this.clock = clock;
    channels.put(Channel.Kind.WEBHOOK, new Webhook(settings.timeout(), settings.webhooks()));
    settings
        .mail()
        .ifPresent(
            server -> channels.put(Channel.Kind.MAIL, new Mail(server, settings.timeout(), clock)));
  }

  /** Starts to send what waits in the database, from before a restart too. */
  public static Notices start(DataSource database, NoticeSettings settings, InstantSource clock) {
    Notices notices = new Notices(database, settings, clock);
    long pollMillis = Math.min(POLL_MILLIS, settings.pause().toMillis());
    var unused =
        notices.sender.scheduleWithFixedDelay(
            notices::sendDue, pollMillis, pollMillis, TimeUnit.MILLISECONDS);
    return notices;
  }

  /** Why this node does not send to the place, as far as its name says. */
  public Optional<String> problemOf(URI webhook) {
    return settings.webhooks().problemOf(webhook);
  }

  /** Whether this node can send mail. */
  public boolean canMail() {
    return channels.containsKey(Channel.Kind.MAIL);
  }

  /**
   * Decides who is told, inside the caller's transaction; {@link #wake} after its commit.
   *
   * @param wanted what the bag asked for
   */
  public void decide(
      Connection connection, BagDescription.Notice wanted, BagDescription.Event event, BagNews news)
      throws SQLException {
    if (!wanted.at().contains(event)) {
      return;
    }
    String name = event.name().toLowerCase(Locale.ROOT);
    long now = clock.millis();
    if (wanted.mail().isPresent()) {
      NoticeTable.insertOnce(
          connection,
          new Notice(news.bag(), name, Channel.Kind.MAIL, wanted.mail().get(), news.json(), 0),
          now);
    }
    if (wanted.webhook().isPresent()) {
      NoticeTable.insertOnce(
          connection,
          new Notice(
              news.bag(),
              name,
              Channel.Kind.WEBHOOK,
              wanted.webhook().get().toString(),
              news.json(),
              0),
          now);
    }
  }

  /** Sends soon what was decided; never blocks. */
  public void wake() {
    if (woken.compareAndSet(false, true)) {
      try {
        sender.execute(this::sendDue);
      } catch (RejectedExecutionException e) {
        LOG.debug("closing; the next start sends", e);
      }
    }
  }

  private void sendDue() {
    woken.set(false);
    try {
      deliveries.begin(due(), this::deliver);
    } catch (SQLException e) {
      LOG.warn("notices cannot be read, trying again: {}", e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("sending notices failed, trying again", e);
    }
  }

  private void deliver(Notice notice) {
    try {
      send(notice);
    } catch (SQLException e) {
      LOG.warn("notice {} was tried, which cannot be noted: {}", notice.key(), e.getMessage());
    }
  }

  private List<NoticeTable.Due> due() throws SQLException {
    try (Connection connection = database.getConnection()) {
      // Those that are under way are due, too.
      return NoticeTable.due(connection, clock.millis(), 2 * Deliveries.OF_AN_OWNER, BATCH);
    }
  }

  private void send(Notice notice) throws SQLException {
    try {
      Channel channel = channels.get(notice.channel());
      if (channel == null) {
        throw new IOException("this node has no mail server any more");
      }
      channel.send(notice);
      tried(notice, "SENT", 0, "");
      LOG.info("notice {} was sent", notice.key());
    } catch (IOException | IllegalArgumentException e) {
      int tries = notice.tries() + 1;
      boolean again = tries < settings.tries();
      long due = clock.millis() + settings.pauseAfter(tries).toMillis();
      tried(notice, again ? "WAITING" : "GIVEN_UP", due, String.valueOf(e.getMessage()));
      LOG.warn(
          "notice {} was not taken, try {} of {}: {}",
          notice.key(),
          tries,
          settings.tries(),
          e.getMessage());
    }
  }

  private void tried(Notice notice, String state, long dueMillis, String error)
      throws SQLException {
    try (Connection connection = database.getConnection()) {
      NoticeTable.tried(connection, notice, state, dueMillis, error);
    }
  }

  /** Stops sending; what is not sent stays in the database. */
  @Override
  public void close() {
    sender.shutdownNow();
    deliveries.close();
    try {
      if (!deliveries.awaitEnd(settings.timeout().plusSeconds(1))) {
        LOG.warn("a notice is still being sent while the node closes");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
