package io.gleaner.puller;

import io.gleaner.sandbox.JavaSandbox;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Properties;

/** The measured speed of this machine, remembered for a week. */
final class Speed {
  private static final Duration LIFE = Duration.ofDays(7);

  private final Path file;
  private final InstantSource clock;

  Speed(Path folder, InstantSource clock) {
    this.file = folder.resolve("speed.properties");
    this.clock = clock;
  }

  /** Micro-units per second of one slot, remembered or measured now. */
  long microUnitsPerSecond(JavaSandbox sandbox) throws IOException {
    Optional<Long> remembered = remembered();
    if (remembered.isPresent()) {
      return remembered.get();
    }
    long measured = sandbox.benchmark();
    Properties properties = new Properties();
    properties.setProperty("microUnitsPerSecond", Long.toString(measured));
    properties.setProperty("measured", clock.instant().toString());
    properties.setProperty("java", System.getProperty("java.version"));
    try (OutputStream out = Files.newOutputStream(file)) {
      properties.store(out, "speed of one core of this machine; delete to measure again");
    }
    return measured;
  }

  private Optional<Long> remembered() throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
      Instant measured = Instant.parse(properties.getProperty("measured", ""));
      long speed = Long.parseLong(properties.getProperty("microUnitsPerSecond", ""));
      boolean fresh =
          speed > 0
              && measured.plus(LIFE).isAfter(clock.instant())
              && System.getProperty("java.version").equals(properties.getProperty("java"));
      return fresh ? Optional.of(speed) : Optional.empty();
    } catch (DateTimeParseException | IllegalArgumentException e) {
      return Optional.empty(); // whatever is written there, a measurement replaces it
    }
  }
}
