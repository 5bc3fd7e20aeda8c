package io.gleaner.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bodies that say two things at once. */
@Timeout(60)
class JsonTest {
  private record Wish(String name, List<Wish> more) {}

  @Test
  void aFieldThatIsThereTwiceIsRefused() {
    Buffer once = Buffer.buffer("{\"name\": \"a\", \"more\": [{\"name\": \"b\"}]}");
    assertThat(Json.read(once, Wish.class).more()).hasSize(1);
    for (String twice :
        List.of(
            "{\"name\": \"a\", \"name\": \"b\"}",
            "{\"name\": \"a\", \"more\": [{\"name\": \"b\", \"\\u006eame\": \"c\"}]}")) {
      assertThatThrownBy(() -> Json.read(Buffer.buffer(twice), Wish.class))
          .isInstanceOfSatisfying(
              ConsoleException.class,
              e -> assertThat(e.code()).isEqualTo(ConsoleException.Code.INVALID_REQUEST))
          .hasMessageEndingWith("a field is there twice; send each once");
    }
  }
}
