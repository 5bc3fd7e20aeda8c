package io.gleaner.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.policy.LauncherException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class StatusServerTest {
  @TempDir Path folder;
  private final AtomicBoolean paused = new AtomicBoolean();

  private final List<String> words = new CopyOnWriteArrayList<>();

  private final OwnersWord said =
      new OwnersWord() {
        @Override
        public void pause() {
          paused.set(true);
        }

        @Override
        public void resume() {
          paused.set(false);
        }

        @Override
        public void snooze(Duration time) {
          words.add("snooze " + time);
        }

        @Override
        public void finishThenPause() {
          words.add("finish");
        }

        @Override
        public void runNow(Duration time) {
          words.add("run " + time);
        }

        @Override
        public void profile(Optional<String> name) {
          words.add("profile " + name);
        }
      };

  private LauncherStatus status() {
    return new LauncherStatus(
        "alice-1",
        "alice",
        paused.get() ? "PAUSED_BY_OWNER" : "OFFERING",
        "because of \"numbers\"",
        "everyday, the usual profile",
        Optional.of("left out"),
        2,
        List.of("job/7"),
        3,
        1,
        0,
        1_500_000,
        990_000,
        0);
  }

  private StatusServer serves() throws IOException {
    return StatusServer.start(folder, this::status, said);
  }

  @Test
  void theOwnerSeesTheStatusAndPausesAndResumes() throws IOException {
    try (StatusServer server = serves()) {
      StatusClient client = new StatusClient(folder);
      assertThat(client.json())
          .contains("\"launcher\":\"alice-1\"")
          .contains("\"reason\":\"because of \\\"numbers\\\"\"")
          .contains("\"notice\":\"left out\"")
          .contains("\"running\":[\"job/7\"]");
      assertThat(client.text())
          .startsWith("alice-1 of alice: offering\nbecause of \"numbers\"\nleft out\nprofile");
      assertThat(client.tell("pause")).contains("paused by owner");
      assertThat(paused).isTrue();
      assertThat(client.tell("resume")).contains("offering");
      assertThat(server.port()).isPositive();
    }
    assertThat(folder).isEmptyDirectory();
    assertThatThrownBy(() -> new StatusClient(folder).text())
        .isInstanceOf(LauncherException.class)
        .hasMessageContaining("no launcher runs in");
  }

  @Test
  void whatElseTheOwnerSaysArrivesAndNonsenseIsAnsweredWithASentence() throws IOException {
    try (StatusServer server = serves()) {
      StatusClient client = new StatusClient(folder);
      client.tell("snooze", "for", "90 min");
      client.tell("run-now", "for", "1h");
      client.tell("finish-then-pause");
      client.tell("profile", "name", "night");
      client.tell("profile");
      assertThat(words)
          .containsExactly(
              "snooze PT1H30M",
              "run PT1H",
              "finish",
              "profile Optional[night]",
              "profile Optional.empty");
      for (String time : List.of("soon", "0s", "31d", "-PT1H", "")) {
        assertThatThrownBy(() -> client.tell("snooze", "for", time))
            .isInstanceOf(LauncherException.class)
            .hasMessage("the time is '%s', expected such as 30 min or 1h, at most 30 days", time);
      }
      assertThat(server.port()).isPositive();
    }
  }

  @Test
  void commandsNeedTheTokenWhichOnlyTheOwnerCanRead() throws IOException {
    try (StatusServer server = serves()) {
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(folder.resolve(StatusServer.TOKEN_FILE))))
          .isEqualTo("rw-------");
      assertThat(post(server, "wrong")).isEqualTo(403);
      assertThat(paused).isFalse();
    }
  }

  private static int post(StatusServer server, String token) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection)
            URI.create("http://127.0.0.1:" + server.port() + "/pause").toURL().openConnection();
    connection.setRequestMethod("POST");
    connection.setRequestProperty(StatusServer.TOKEN_HEADER, token);
    return connection.getResponseCode();
  }
}
