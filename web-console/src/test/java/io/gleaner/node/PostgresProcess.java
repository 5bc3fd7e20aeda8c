package io.gleaner.node;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** The PostgreSQL server of space-core's tests, in a process of its own. */
final class PostgresProcess implements AutoCloseable {
  private static final String TEST_CLASSES = "../space-core/target/test-classes";

  private final Process process;
  private final String url;

  private PostgresProcess(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  /** Starts one; the test is skipped where PostgreSQL is missing, unless {@code CI=true}. */
  static PostgresProcess start() throws IOException {
    String classes =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    Path.of(TEST_CLASSES).toAbsolutePath() + File.pathSeparator + classes,
                    "io.gleaner.storage.PostgresServer"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String url = output.readLine();
    if (url == null && !"true".equals(System.getenv("CI"))) {
      Assumptions.abort("PostgreSQL is not installed; Debian's package is 'postgresql'");
    } else if (url == null) {
      throw new IOException("PostgreSQL did not start");
    }
    return new PostgresProcess(process, url);
  }

  /** For JDBC, without a user. */
  String url() {
    return url.split("[?]", 2)[0];
  }

  @Override
  public void close() throws Exception {
    process.getOutputStream().close();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
