package io.gleaner.http;

import io.gleaner.bag.BagException;
import io.gleaner.blob.BlobQuotaExceeded;
import io.gleaner.blob.BlobTooLarge;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.ledger.LedgerException;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.storage.Outage;
import io.vertx.core.VertxException;
import io.vertx.ext.web.handler.HttpException;
import java.io.FileNotFoundException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What went wrong, as RFC 9457 has it: {@code application/problem+json}.
 *
 * @param type a URI reference that ends with the code
 * @param code the stable name, lower case with hyphens
 * @param problems every single error where there may be several, else empty
 */
public record Problem(
    String type, String title, int status, String detail, String code, List<String> problems) {

  private static final int UNPROCESSABLE = 422;
  private static final long USUAL_WAIT = 2;

  public Problem {
    problems = List.copyOf(problems);
  }

  /**
   * The problem that a failure is to the caller; what is not the caller's to know becomes {@code
   * internal} without any detail.
   */
  public static Problem of(Throwable failure) {
    if (failure instanceof ConsoleException e) {
      return of(e.code().name(), e.code().status(), e.getMessage(), List.of());
    }
    if (Outage.caused(failure)) {
      return of(Code.UNAVAILABLE, "the database of this node does not answer; try again later");
    }
    if (failure instanceof BagException e) {
      return of(e.code().name(), statusOf(e.code()), e.getMessage(), e.problems());
    }
    if (failure instanceof LedgerException e
        && e.code() == LedgerException.Code.NOT_ENOUGH_CREDITS) {
      return of(e.code().name(), 402, e.getMessage(), List.of());
    }
    if (failure instanceof SecurityRefusal e && e.code() == SecurityRefusal.Code.UNKNOWN_MEMBER) {
      return of(Code.NOT_FOUND, e.getMessage());
    }
    if (failure instanceof SecurityRefusal e) {
      return of(e);
    }
    if (failure instanceof BlobTooLarge) {
      return of(Code.TOO_LARGE, failure.getMessage());
    }
    if (failure instanceof BlobQuotaExceeded) {
      return of(Code.QUOTA, failure.getMessage());
    }
    if (failure instanceof FileNotFoundException) {
      return of(Code.NOT_FOUND, "these bytes are not stored any more");
    }
    if (failure instanceof HttpException e) {
      return ofStatus(e.getStatusCode());
    }
    return ofStatus(500);
  }

  /**
   * The problem of a request that failed with this status.
   *
   * @param failure null if there was none
   */
  public static Problem of(Throwable failure, int status) {
    boolean routers = failure instanceof VertxException && status < 500;
    return failure == null || routers ? ofStatus(status) : of(failure);
  }

  /** How many seconds to wait before the next try after this failure; 0 if that is no help. */
  public static long waitSeconds(Throwable failure, int status) {
    if (failure instanceof SecurityRefusal refusal && refusal.waitSeconds() > 0) {
      return refusal.waitSeconds();
    }
    return status == Code.TOO_MANY.status() || status == Code.BUSY.status() ? USUAL_WAIT : 0;
  }

  private static Problem of(SecurityRefusal refusal) {
    int status =
        switch (refusal.code()) {
          case THROTTLED -> Code.TOO_MANY.status();
          case INVALID -> UNPROCESSABLE;
          case UNKNOWN_USER -> 404;
          case USER_EXISTS -> 409;
          default -> 500;
        };
    return status == 500
        ? ofStatus(500)
        : of(refusal.code().name(), status, refusal.getMessage(), List.of());
  }

  /** The problem of a status that the router itself gave. */
  public static Problem ofStatus(int status) {
    return switch (status) {
      case 400 ->
          of(Code.INVALID_REQUEST, "the request is malformed: look at its host and its headers");
      case 404 -> of(Code.NOT_FOUND, "there is nothing here");
      case 405 -> of(Code.METHOD_NOT_ALLOWED, "this method is not offered here");
      case 408 -> of(Code.TIMEOUT, "the request took too long");
      case 413 -> of(Code.TOO_LARGE, "the body is longer than what is taken here");
      case 415 -> of(Code.UNSUPPORTED_MEDIA_TYPE, "this media type is not taken here");
      case 503 -> of(Code.BUSY, "the console has too much to do or took too long; try again");
      default ->
          of(Code.INTERNAL, "something went wrong here; the operator finds it in the node's log");
    };
  }

  /** Whether it is the console's own fault and belongs in the log with its trace. */
  public boolean isInternal() {
    return status >= 500 && status != Code.BUSY.status();
  }

  private static Problem of(Code code, String detail) {
    return of(code.name(), code.status(), detail, List.of());
  }

  private static Problem of(String name, int status, String detail, List<String> problems) {
    String code = name.toLowerCase(Locale.ROOT).replace('_', '-');
    String title = Character.toUpperCase(code.charAt(0)) + code.substring(1).replace('-', ' ');
    return new Problem(
        "/api/v1/problems#" + code,
        title,
        status,
        Optional.ofNullable(detail).orElse(title),
        code,
        problems);
  }

  private static int statusOf(BagException.Code code) {
    return switch (code) {
      case INVALID_DESCRIPTION, MISSING_FILE, LIMIT -> UNPROCESSABLE;
      case NOT_ENOUGH_CREDITS -> 402;
      case UNKNOWN_BAG -> 404;
      case KEY_REUSED -> 409;
      case UNAVAILABLE -> 503;
    };
  }
}
