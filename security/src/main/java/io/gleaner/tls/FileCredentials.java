package io.gleaner.tls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gleaner.authority.Certificates;
import io.gleaner.secrets.SecurityRefusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An operator's own certificate for the console. Files that are replaced are read anew; what cannot
 * be used then is told, and what was shown is shown on. Safe for all threads.
 */
public final class FileCredentials implements Supplier<Credentials> {
  private static final Logger LOG = LoggerFactory.getLogger(FileCredentials.class);

  private final Path certificates;
  private final Path key;
  private final InstantSource clock;
  private volatile Credentials current;

  @GuardedBy("this")
  private List<FileTime> seen;

  /**
   * Reads the files as {@link Credentials#ofFiles} does.
   *
   * @throws SecurityRefusal if they cannot be read, do not belong together, or it is not their time
   */
  public FileCredentials(Path certificates, Path key, InstantSource clock) {
    this.certificates = certificates;
    this.key = key;
    this.clock = clock;
    this.seen = times();
    this.current = read();
  }

  @Override
  public Credentials get() {
    return current;
  }

  /** Reads the files if they were replaced; to be called every few seconds. */
  public synchronized void look() {
    List<FileTime> now = times();
    if (now.equals(seen)) {
      return;
    }
    try {
      current = read();
      LOG.info("{} is shown from now on", certificates);
    } catch (SecurityRefusal e) {
      LOG.warn("the certificate that was there before is shown on: {}", e.getMessage());
    }
    seen = now;
  }

  private Credentials read() {
    Credentials read = Credentials.ofFiles(certificates, key);
    Certificates.requireTime(read.certificate(), clock.instant());
    return read;
  }

  private List<FileTime> times() {
    try {
      return List.of(Files.getLastModifiedTime(certificates), Files.getLastModifiedTime(key));
    } catch (IOException e) {
      return List.of();
    }
  }
}
