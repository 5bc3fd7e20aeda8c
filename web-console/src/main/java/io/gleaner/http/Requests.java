package io.gleaner.http;

import io.gleaner.http.ConsoleException.Code;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;

/** Reads parameters of a request, checked against their range. */
public final class Requests {

  private Requests() {}

  /** The first query parameter of that name. */
  public static Optional<String> query(RoutingContext ctx, String name) {
    List<String> values = ctx.queryParam(name);
    return values.isEmpty() ? Optional.empty() : Optional.of(values.get(0));
  }

  /**
   * A whole number in the query.
   *
   * @throws ConsoleException INVALID_REQUEST if it is none or out of its range
   */
  public static int number(RoutingContext ctx, String name, int otherwise, int least, int most) {
    return query(ctx, name).map(text -> number(name, text, least, most)).orElse(otherwise);
  }

  /** A whole number from any part of a request. */
  public static int number(String name, String text, int least, int most) {
    try {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // The sentence below serves both.
    }
    throw new ConsoleException(
        Code.INVALID_REQUEST,
        name + " must be a whole number from " + least + " to " + most + ", not '" + text + "'");
  }
}
