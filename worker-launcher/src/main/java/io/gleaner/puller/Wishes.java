package io.gleaner.puller;

import io.gleaner.leasing.Ticker;
import io.gleaner.policy.Wish;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the owner said last, kept in a file of the data folder, so that a pause outlives a restart.
 * Safe for all threads.
 */
final class Wishes {
  static final String FILE = "owner-said";

  private static final Logger LOG = LoggerFactory.getLogger(Wishes.class);
  private static final String KIND = "kind";
  private static final String UNTIL = "until";
  private static final String PROFILE = "profile";

  private final Path file;
  private final InstantSource clock;
  private final Ticker ticker;
  private Wish wish = Wish.NONE;
  private Optional<String> profile = Optional.empty();

  Wishes(Path folder, InstantSource clock, Ticker ticker) {
    this.file = folder.resolve(FILE);
    this.clock = clock;
    this.ticker = ticker;
    read();
  }

  synchronized Wish wish() {
    return wish;
  }

  /** The profile that the owner chose, if any. */
  synchronized Optional<String> profile() {
    return profile;
  }

  synchronized void say(Wish.Kind kind) {
    wish = new Wish(kind, Wish.ALWAYS);
    write(Optional.empty());
  }

  synchronized void say(Wish.Kind kind, Duration time) {
    wish = new Wish(kind, ticker.nanos() + time.toNanos());
    write(Optional.of(clock.instant().plus(time)));
  }

  synchronized void choose(Optional<String> name) {
    profile = name;
    write(
        wish.untilNanos() == Wish.ALWAYS
            ? Optional.empty()
            : Optional.of(clock.instant().plusNanos(wish.untilNanos() - ticker.nanos())));
  }

  private void write(Optional<Instant> until) {
    Properties said = new Properties();
    said.setProperty(KIND, wish.kind().name());
    until.ifPresent(time -> said.setProperty(UNTIL, time.toString()));
    profile.ifPresent(name -> said.setProperty(PROFILE, name));
    try {
      Path fresh = file.resolveSibling(FILE + ".new");
      try (Writer out = Files.newBufferedWriter(fresh)) {
        said.store(out, "what the owner said last");
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "it is obeyed, but not kept over a restart: " + file + " cannot be written", e);
    }
  }

  /** A file that cannot be understood means pause: the owner said something. */
  private void read() {
    Properties said = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      said.load(in);
      profile = Optional.ofNullable(said.getProperty(PROFILE));
      Wish.Kind kind = Wish.Kind.valueOf(said.getProperty(KIND, ""));
      String until = said.getProperty(UNTIL);
      if (until == null) {
        wish = new Wish(kind, Wish.ALWAYS);
      } else {
        Duration left = Duration.between(clock.instant(), Instant.parse(until));
        wish = left.isNegative() ? Wish.NONE : new Wish(kind, ticker.nanos() + left.toNanos());
      }
    } catch (NoSuchFileException nothingSaid) {
      wish = Wish.NONE;
    } catch (IOException
        | IllegalArgumentException
        | ArithmeticException
        | DateTimeParseException e) {
      LOG.warn("{} cannot be read, so the launcher is paused: {}", file, e.toString());
      wish = Wish.PAUSE;
    }
  }
}
