package io.gleaner.api.rest;

import io.gleaner.api.GleanerException;
import io.gleaner.api.GleanerException.Code;
import io.gleaner.audit.PlainText;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Turns the problems that a node answers with (RFC 9457) into exceptions. */
final class Refusals {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int LONGEST = 1 << 20;
  private static final int LONGEST_LINE = 300;
  private static final int UNKNOWN_TOKEN = 401;

  private Refusals() {}

  /** Whether the same request may go through a moment later. */
  static boolean isPassing(int status) {
    return status == 429 || status == 502 || status == 503 || status == 504;
  }

  static GleanerException of(HttpResponse<InputStream> response) throws IOException {
    int status = response.statusCode();
    if (status == UNKNOWN_TOKEN) {
      response.body().close();
      return new GleanerException(
          Code.NOT_ALLOWED,
          "the node does not know this API token; use one that it has issued and not revoked");
    }
    String text;
    try (InputStream body = response.body()) {
      text = new String(body.readNBytes(LONGEST), StandardCharsets.UTF_8);
    }
    try {
      JsonNode problem = JSON.readTree(text);
      List<String> problems = new ArrayList<>();
      problem.path("problems").forEach(each -> problems.add(each.asString()));
      String detail = problem.path("detail").asString(problem.path("title").asString(""));
      if (!detail.isEmpty()) {
        Code code =
            problem.path("code").asString("").equals("missing-file")
                ? Code.MISSING_FILE
                : codeOf(status);
        return new GleanerException(code, detail, problems);
      }
    } catch (JacksonException e) {
      return new GleanerException(
          codeOf(status),
          "the node answered " + status + " and no JSON; is it a console?" + said(text),
          e);
    }
    return new GleanerException(codeOf(status), "the node answered " + status);
  }

  /** The first line of an answer that is a text for people. */
  private static String said(String text) {
    String line = text.strip().lines().findFirst().orElse("");
    if (line.isEmpty() || line.startsWith("<")) {
      return "";
    }
    return " It says: " + PlainText.of(line.substring(0, Math.min(line.length(), LONGEST_LINE)));
  }

  private static Code codeOf(int status) {
    return switch (status) {
      case 401, 403 -> Code.NOT_ALLOWED;
      case 402 -> Code.NOT_ENOUGH_CREDITS;
      case 404 -> Code.NOT_FOUND;
      case 413 -> Code.TOO_LARGE;
      case 429, 502, 503, 504 -> Code.UNREACHABLE;
      default -> Code.REFUSED;
    };
  }
}
