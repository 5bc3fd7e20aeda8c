package io.gleaner.idle;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Since when nobody typed on a console or in a remote terminal: the last access of {@code
 * /dev/tty*} and {@code /dev/pts/*}, as {@code w} shows it. On a machine with a display server it
 * says nothing of keyboard and mouse there, so alone it is unknown then.
 */
final class TerminalSensor implements Sensor<Duration> {
  private static final Logger LOG = LoggerFactory.getLogger(TerminalSensor.class);
  private final SystemRoot root;
  private final InstantSource clock;

  TerminalSensor(SystemRoot root, InstantSource clock) {
    this.root = root;
    this.clock = clock;
  }

  @Override
  public Reading<Duration> read() {
    Instant latest = Instant.MIN;
    try {
      latest = latest(latest, root.at("dev"), "tty[0-9]*");
      latest = latest(latest, root.at("dev/pts"), "[0-9]*");
    } catch (IOException e) {
      return Reading.unknown("the terminals cannot be read: " + e);
    }
    if (latest.equals(Instant.MIN)) {
      return Reading.unknown("this system has no terminals");
    }
    Duration idle = Duration.between(latest, clock.instant());
    return Reading.known(idle.isNegative() ? Duration.ZERO : idle);
  }

  private static Instant latest(Instant latest, Path folder, String names) throws IOException {
    Instant result = latest;
    if (!Files.isDirectory(folder)) {
      return result;
    }
    try (DirectoryStream<Path> terminals = Files.newDirectoryStream(folder, names)) {
      for (Path terminal : terminals) {
        try {
          Instant access =
              Files.readAttributes(terminal, BasicFileAttributes.class)
                  .lastAccessTime()
                  .toInstant();
          result = access.isAfter(result) ? access : result;
        } catch (NoSuchFileException closed) {
          LOG.trace("a terminal was closed while it was read", closed);
        }
      }
    }
    return result;
  }
}
