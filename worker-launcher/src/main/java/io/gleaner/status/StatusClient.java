package io.gleaner.status;

import io.gleaner.policy.LauncherException;
import io.gleaner.policy.LauncherException.Code;
import io.gleaner.secrets.SecretFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Asks the launcher of a data folder; it must run on this machine under the same user. */
public final class StatusClient {
  private static final int LIMIT_MILLIS = 3000;

  private final Path folder;

  public StatusClient(Path folder) {
    this.folder = folder;
  }

  public String json() {
    return ask("GET", "/status");
  }

  public String text() {
    return ask("GET", "/");
  }

  /** Passes the owner's word on, such as {@code pause}; the status afterwards. */
  public String tell(String command) {
    return ask("POST", "/" + command);
  }

  /**
   * The same with one parameter, such as {@code for} and {@code 1h}.
   *
   * @throws LauncherException INVALID_SETTINGS with what the launcher says against it
   */
  public String tell(String command, String name, String value) {
    String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    return ask("POST", "/" + command + "?" + name + "=" + encoded);
  }

  private String ask(String method, String path) {
    Path portFile = folder.resolve(StatusServer.PORT_FILE);
    if (!Files.exists(portFile)) {
      throw new LauncherException(
          Code.NOT_RUNNING, "no launcher runs in " + folder + "; name another folder with --data");
    }
    try {
      int port = Integer.parseInt(Files.readString(portFile).strip());
      HttpURLConnection connection =
          (HttpURLConnection)
              URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
      connection.setRequestMethod(method);
      connection.setConnectTimeout(LIMIT_MILLIS);
      connection.setReadTimeout(LIMIT_MILLIS);
      if (method.equals("POST")) {
        connection.setRequestProperty(
            StatusServer.TOKEN_HEADER,
            SecretFile.read(folder.resolve(StatusServer.TOKEN_FILE)).reveal());
      }
      if (connection.getResponseCode() == StatusServer.WRONG) {
        throw new LauncherException(
            Code.INVALID_SETTINGS, text(connection.getErrorStream()).strip());
      }
      return text(connection.getInputStream());
    } catch (IOException | NumberFormatException e) {
      throw new LauncherException(
          Code.NOT_RUNNING,
          "the launcher of " + folder + " does not answer; it may have been killed",
          e);
    }
  }

  private static String text(InputStream body) throws IOException {
    try (body) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
