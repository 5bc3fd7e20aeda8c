package io.gleaner.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON in and out; safe for all threads. */
public final class Json {
  private static final int DEEPEST = 16;
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private Json() {}

  public static Buffer encode(Object value) {
    return Buffer.buffer(MAPPER.writeValueAsBytes(value));
  }

  /**
   * The body as a record.
   *
   * @throws ConsoleException INVALID_REQUEST if it is not JSON of that shape
   */
  public static <T> T read(Buffer body, Class<T> shape) {
    try {
      T value = body == null ? null : MAPPER.readValue(body.getBytes(), shape);
      if (value == null) {
        throw new ConsoleException(
            ConsoleException.Code.INVALID_REQUEST, "the body is empty; send a JSON object");
      }
      return value;
    } catch (JacksonException e) {
      throw new ConsoleException(
          ConsoleException.Code.INVALID_REQUEST,
          "the body is not the JSON that is expected here: " + WrongJson.sentence(e),
          e);
    }
  }

  public static void send(RoutingContext ctx, int status, Object value) {
    ctx.response()
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json; charset=utf-8")
        .end(encode(value));
  }
}
