package io.gleaner.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sign-ins that wait, for hashes or for a database, hold up nobody who is signed in. */
@Timeout(120)
class SignInFloodTest extends WithConsole {
  private static final int SIGN_INS = 60;

  @Test
  @Tag("S3")
  void restGoesOnAndWhoComesTooMuchIsSentAwayWithATime() throws Exception {
    Client program = console.program("bob");
    HttpClient http = HttpClient.newHttpClient();
    BlockingQueue<HttpResponse<String>> answers = new LinkedBlockingQueue<>();
    try (var holder = console.connection()) {
      holder.setAutoCommit(false);
      try (var sql = holder.createStatement()) {
        // Each sign-in writes a line of the log, and waits for this row.
        sql.executeQuery("select line from security_log_head for update").close();
      }
      List<?> asked =
          IntStream.range(0, SIGN_INS)
              .mapToObj(
                  i ->
                      http.sendAsync(signIn(), HttpResponse.BodyHandlers.ofString())
                          .thenAccept(answers::add))
              .toList();
      assertThat(asked).hasSize(SIGN_INS);
      HttpResponse<String> refused = answers.poll(50, TimeUnit.SECONDS);
      assertThat(refused).isNotNull();
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).contains("2");
      assertThat(refused.body()).contains("too many sign-ins of this name wait here already");
      assertThat(program.get("/api/v1/account").statusCode()).isEqualTo(200);
      holder.rollback();
      for (int i = 1; i < SIGN_INS; i++) {
        assertThat(answers.poll(50, TimeUnit.SECONDS)).as("answer %s", i).isNotNull();
      }
    }
  }

  private HttpRequest signIn() {
    URI address = console.server().address().resolve("/signin");
    return HttpRequest.newBuilder(address)
        .header("Cookie", "gleaner-signin=x")
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(
            HttpRequest.BodyPublishers.ofString(
                "csrf=x&name=alice&password=" + TestConsole.PASSWORD.replace(" ", "+")))
        .build();
  }
}
