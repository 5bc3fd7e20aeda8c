package io.gleaner.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.bag.Bags;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The event stream as clients meet it. */
@Timeout(60)
class EventsTest extends WithConsole {
  @BeforeEach
  void start() {
    submits("alice", "key-1");
  }

  @Test
  void aChangeReachesItsOwnerAndALostStreamResumesWhereItEnded() throws IOException {
    Client alice = console.program("alice");
    String lastId;
    try (BufferedReader stream = reader(alice.open("/api/v1/events", ""))) {
      assertThat(next(stream, "market").data()).contains("\"economy\":\"market\"");
      console.bags().ends("bag-1", 0, Optional.empty(), 0, "boom");
      Event change = nextWith(stream, "bag", "\"failed\":1");
      assertThat(change.data()).contains("\"id\":\"bag-1\"");
      lastId = change.id();
    }

    console.bags().ends("bag-1", 1, Optional.empty(), 0, "boom");
    try (BufferedReader probe = reader(alice.open("/api/v1/events", ""))) {
      // Once a fresh stream tells of the change or of a later one, it has been published.
      console.market().clears(1_500_000, 4, 9);
      nextWith(probe, "market", "\"round\":1,");
    }

    try (BufferedReader again = reader(alice.open("/api/v1/events", lastId))) {
      Event missed = next(again, "bag");
      assertThat(missed.data()).contains("\"failed\":2");
      assertThat(missed.id()).isNotEqualTo(lastId);
    }
  }

  @Test
  void anUnknownPlaceToResumeFromResetsTheClient() throws IOException {
    try (BufferedReader stream =
        reader(console.program("alice").open("/api/v1/events", "another-7"))) {
      assertThat(next(stream, "reset").data()).isEqualTo("{}");
    }
  }

  @Test
  void nobodyHearsOfBagsOfOthers() throws IOException {
    try (BufferedReader stream = reader(console.program("bob").open("/api/v1/events", ""))) {
      next(stream, "market");
      console.bags().ends("bag-1", 0, Optional.empty(), 0, "boom");
      submits("bob", "key-2");
      assertThat(next(stream, "bag").data()).contains("\"id\":\"bag-2\"");
    }
  }

  @Test
  void aCallerHasOnlySoManyStreams() throws IOException {
    Client alice = console.program("alice");
    List<BufferedReader> open = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      HttpResponse<java.io.InputStream> answer = alice.open("/api/v1/events", "");
      assertThat(answer.statusCode()).isEqualTo(200);
      open.add(reader(answer));
    }
    assertThat(alice.get("/api/v1/events").statusCode()).isEqualTo(429);
    assertThat(console.program("bob").open("/api/v1/events", "").statusCode()).isEqualTo(200);
    for (BufferedReader stream : open) {
      stream.close();
    }
  }

  @Test
  void aQuietStreamIsKeptAliveUntilItsSessionEnds() throws IOException {
    try (BufferedReader program = reader(console.program("alice").open("/api/v1/events", ""));
        BufferedReader page = reader(console.browser("alice").open("/api/v1/events", ""))) {
      console.signsOut("alice");
      assertThat(page.lines().toList()).doesNotContain(": still here");
      assertThat(program.lines().anyMatch(": still here"::equals)).isTrue();
    }
  }

  private record Event(String id, String type, String data) {}

  private void submits(String user, String key) {
    console
        .bags()
        .submit(
            user,
            new Bags.Submission(
                RestTest.DESCRIPTION, Map.of("target/sweep.jar", "0".repeat(64)), key));
  }

  private static BufferedReader reader(HttpResponse<java.io.InputStream> answer) {
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
    // The client's stream does not end when its reader is interrupted.
    CompletableFuture.delayedExecutor(20, TimeUnit.SECONDS)
        .execute(
            () -> {
              try {
                answer.body().close();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
  }

  private static Event nextWith(BufferedReader stream, String type, String part)
      throws IOException {
    Event event = next(stream, type);
    while (!event.data().contains(part)) {
      event = next(stream, type);
    }
    return event;
  }

  private static Event next(BufferedReader stream, String type) throws IOException {
    String id = "";
    String found = "";
    String data = "";
    for (String line = stream.readLine(); line != null; line = stream.readLine()) {
      if (line.startsWith("id: ")) {
        id = line.substring(4);
      } else if (line.startsWith("event: ")) {
        found = line.substring(7);
      } else if (line.startsWith("data: ")) {
        data = line.substring(6);
      } else if (line.isEmpty() && found.equals(type)) {
        return new Event(id, found, data);
      }
    }
    throw new IOException("the stream ended before an event " + type);
  }
}
