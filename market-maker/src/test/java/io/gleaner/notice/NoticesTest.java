package io.gleaner.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.gleaner.description.BagDescription;
import io.gleaner.description.BagDescription.Event;
import io.gleaner.storage.Database;
import io.gleaner.storage.StorageSettings;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.subethamail.smtp.helper.SimpleMessageListener;
import org.subethamail.smtp.server.SMTPServer;

/** News reach a real web server and a real mail server on loopback, once decided, over failures. */
@Timeout(60)
class NoticesTest {
  private static final BagNews DONE =
      new BagNews(
          "done", "b-1", "zoom \"ü\"", "alice", "DONE", 3, 2, 1, 5_000_000, 1_500_000, "note");

  private static final String BAG =
      "INSERT INTO bag (job_id, owner, idempotency_key, content_digest, name, description, files,"
          + " state, tasks, completed, failed, budget_micros, spent_micros, submitted_millis, note)"
          + " VALUES ('%s', '%s', '%s', 'd', 'zoom', 'y', '', 'OPEN', 3, 0, 0, 0, 0, 0, '')";

  private static final Instant BEGAN = Instant.parse("2026-03-01T08:00:00Z");

  @TempDir Path folder;
  private final long begunNanos = System.nanoTime();
  private final InstantSource clock = () -> BEGAN.plusNanos(System.nanoTime() - begunNanos);
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final List<String> keys = new CopyOnWriteArrayList<>();
  private final AtomicInteger refusals = new AtomicInteger();
  private Database database;
  private HttpServer web;

  @BeforeEach
  void open() throws Exception {
    database = Database.open(StorageSettings.in(folder));
    sql(BAG.formatted("b-1", "alice", "k"));
    web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    web.createContext(
        "/hook",
        exchange -> {
          try (InputStream body = exchange.getRequestBody()) {
            received.add(new String(body.readAllBytes(), StandardCharsets.UTF_8));
          }
          keys.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
          exchange.sendResponseHeaders(refusals.getAndDecrement() > 0 ? 503 : 204, -1);
          exchange.close();
        });
    web.start();
  }

  @AfterEach
  void close() {
    web.stop(0);
    database.close();
  }

  @Test
  void aWebhookIsToldOnceHoweverOftenItIsDecided() throws Exception {
    try (Notices notices = notices(Optional.empty())) {
      decide(notices, hook(), Event.DONE);
      decide(notices, hook(), Event.DONE);
      decide(notices, hook(), Event.BUDGET_80);
      notices.wake();

      await().untilAsserted(() -> assertThat(states()).containsExactly("SENT"));
      assertThat(received)
          .containsExactly(
              "{\"event\":\"done\",\"bag\":\"b-1\",\"name\":\"zoom \\\"ü\\\"\",\"owner\":\"alice\","
                  + "\"state\":\"DONE\",\"tasks\":3,\"completed\":2,\"failed\":1,"
                  + "\"budgetMicros\":5000000,\"spentMicros\":1500000,\"note\":\"note\"}");
      assertThat(keys).containsExactly("b-1:done:WEBHOOK");
    }
  }

  @Test
  void aRefusedNoticeIsTriedAgainUnderTheSameKeyAndGivenUpInTheEnd() throws Exception {
    refusals.set(2);
    try (Notices notices = notices(Optional.empty())) {
      decide(notices, hook(), Event.DONE);
      notices.wake();
      await().untilAsserted(() -> assertThat(states()).containsExactly("SENT"));
      assertThat(keys).hasSize(3).containsOnly("b-1:done:WEBHOOK");

      refusals.set(1000);
      sql("UPDATE bag_notice SET state = 'WAITING', tries = 0, due_millis = 0");
      await().untilAsserted(() -> assertThat(states()).containsExactly("GIVEN_UP"));
      assertThat(keys).hasSize(3 + 4);
    }
  }

  @Test
  @Tag("S3")
  void nothingIsSentToWhatOnlyTheNodeReaches() throws Exception {
    try (Notices notices = notices(Optional.empty(), WebhookHosts.PUBLIC)) {
      decide(notices, hook(), Event.DONE);
      notices.wake();
      await().untilAsserted(() -> assertThat(states()).containsExactly("GIVEN_UP"));
      assertThat(received).isEmpty();
    }
  }

  @Test
  @Tag("S15")
  void receiversThatNeverAnswerHoldUpNobodyElses() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Notices notices =
            Notices.start(
                database.dataSource(),
                new NoticeSettings(
                    Optional.empty(),
                    new WebhookHosts(Set.of("127.0.0.1")),
                    Duration.ofMinutes(5),
                    4,
                    Duration.ofMillis(20),
                    Duration.ofMillis(50)),
                clock)) {
      String dead = "http://127.0.0.1:" + silent.getLocalPort() + "/";
      try (Connection connection = database.dataSource().getConnection()) {
        for (int i = 0; i < 30; i++) {
          sql(BAG.formatted("m-" + i, "mallory", "m" + i));
          NoticeTable.insertOnce(
              connection,
              new Notice("m-" + i, "done", Channel.Kind.WEBHOOK, dead, DONE.json(), 0),
              0);
        }
      }
      notices.wake();
      // Held: one that is forgotten is closed, and that is an answer.
      List<Socket> unanswered = List.of(silent.accept(), silent.accept());
      decide(notices, hook(), Event.DONE);
      notices.wake();
      await().untilAsserted(() -> assertThat(keys).containsExactly("b-1:done:WEBHOOK"));
      await().untilAsserted(() -> assertThat(states()).containsOnlyOnce("SENT"));
      assertThat(unanswered).noneMatch(Socket::isClosed);
      for (Socket each : unanswered) {
        each.close();
      }
    }
  }

  @Test
  @Tag("S15")
  void anAnswerWithoutAnEndIsAnAnswer() throws Exception {
    web.createContext(
        "/endless",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().flush();
        });
    try (Notices notices = notices(Optional.empty())) {
      decide(
          notices,
          new BagDescription.Notice(
              Optional.empty(),
              Optional.of(URI.create(address().replace("/hook", "/endless"))),
              Set.of(Event.DONE)),
          Event.DONE);
      notices.wake();
      await().untilAsserted(() -> assertThat(states()).containsExactly("SENT"));
    }
  }

  @Test
  void whatWaitedOverARestartIsSent() throws Exception {
    try (Notices before = notices(Optional.empty())) {
      try (Connection connection = database.dataSource().getConnection()) {
        NoticeTable.insertOnce(
            connection,
            new Notice("b-1", "done", Channel.Kind.WEBHOOK, address(), DONE.json(), 0),
            clock.millis() + 3_600_000);
      }
      assertThat(before.canMail()).isFalse();
    }
    sql("UPDATE bag_notice SET due_millis = 0");
    try (Notices after = notices(Optional.empty())) {
      await().untilAsserted(() -> assertThat(states()).containsExactly("SENT"));
      assertThat(after.canMail()).isFalse();
    }
  }

  @Test
  void mailReachesTheServerAsPlainText() throws Exception {
    List<MimeMessage> mails = new CopyOnWriteArrayList<>();
    SMTPServer smtp =
        SMTPServer.port(0)
            .bindAddress(InetAddress.getLoopbackAddress())
            .simpleMessageListener(
                new SimpleMessageListener() {
                  @Override
                  public boolean accept(String from, String recipient) {
                    return recipient.equals("alice@example.org");
                  }

                  @Override
                  public void deliver(String from, String recipient, InputStream data) {
                    try {
                      mails.add(new MimeMessage(Session.getInstance(new Properties()), data));
                    } catch (jakarta.mail.MessagingException e) {
                      throw new IllegalStateException(e);
                    }
                  }
                })
            .build();
    smtp.start();
    MailServer server =
        new MailServer(
            "127.0.0.1", smtp.getPortAllocated(), false, Optional.empty(), "node@example.org");
    try (Notices notices = notices(Optional.of(server))) {
      assertThat(notices.canMail()).isTrue();
      decide(
          notices,
          new BagDescription.Notice(
              Optional.of("alice@example.org"), Optional.empty(), Set.of(Event.DONE)),
          Event.DONE);
      notices.wake();
      await().untilAsserted(() -> assertThat(states()).containsExactly("SENT"));
    } finally {
      smtp.stop();
    }

    MimeMessage mail = mails.get(0);
    assertThat(mail.getSubject()).isEqualTo("Bag zoom \"ü\" is done");
    assertThat(mail.getHeader("X-Gleaner-Notice")).containsExactly("b-1:done:MAIL");
    assertThat(mail.getContent().toString())
        .contains("2 completed, 1 failed, 3 in all")
        .contains("1.5 spent of 5");
  }

  private String address() {
    return "http://127.0.0.1:" + web.getAddress().getPort() + "/hook";
  }

  private BagDescription.Notice hook() {
    return new BagDescription.Notice(
        Optional.empty(), Optional.of(URI.create(address())), Set.of(Event.DONE));
  }

  private Notices notices(Optional<MailServer> mail) {
    return notices(mail, new WebhookHosts(Set.of("127.0.0.1")));
  }

  private Notices notices(Optional<MailServer> mail, WebhookHosts hosts) {
    return Notices.start(
        database.dataSource(),
        new NoticeSettings(
            mail, hosts, Duration.ofSeconds(5), 4, Duration.ofMillis(20), Duration.ofMillis(50)),
        clock);
  }

  private void decide(Notices notices, BagDescription.Notice wanted, Event event)
      throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      notices.decide(connection, wanted, event, DONE);
    }
  }

  private List<String> states() throws SQLException {
    List<String> states = new java.util.ArrayList<>();
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT state FROM bag_notice")) {
      while (rows.next()) {
        states.add(rows.getString(1));
      }
    }
    return states;
  }

  private void sql(String text) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(text);
    }
  }
}
