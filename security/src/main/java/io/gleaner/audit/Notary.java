package io.gleaner.audit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gleaner.secrets.SecretFile;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.signing.SignerKey;
import io.gleaner.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs the ends of chains from time to time: in the database for everybody, and the newest of each
 * chain in a file, which somebody who may only write to the database cannot reach. What does not
 * agree with that file any more is told and not signed. Safe for all threads.
 */
public final class Notary implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Notary.class);
  private static final long CLOSE_SECONDS = 10;

  private final Sql sql;
  private final List<Chain> chains;
  private final SignerKey key;
  private final Path file;
  private final InstantSource clock;
  private final ScheduledExecutorService thread;

  @GuardedBy("this")
  private final Map<String, Checkpoint> newest = new LinkedHashMap<>();

  private Notary(
      DataSource database, List<Chain> chains, SignerKey key, Path file, InstantSource clock) {
    this.sql = new Sql(database);
    this.chains = List.copyOf(chains);
    this.key = key;
    this.file = file;
    this.clock = clock;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread notary = new Thread(work, "notary");
              notary.setDaemon(true);
              return notary;
            });
  }

  /**
   * Signs now, then as often as told, and at the end.
   *
   * @param keyFile made if it is not there
   * @param file with the newest checkpoints; made if it is not there
   */
  public static Notary start(
      DataSource database,
      List<Chain> chains,
      Path keyFile,
      Path file,
      InstantSource clock,
      Duration interval) {
    SignerKey key = Files.exists(keyFile) ? SignerKey.read(keyFile) : SignerKey.create(keyFile);
    Notary notary = new Notary(database, chains, key, file, clock);
    kept(file).forEach(notary::keep);
    LOG.info("ends of chains are signed by {}", key.signer());
    notary.sign();
    notary.begin(interval.toMillis());
    return notary;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // It never ends by itself.
  private void begin(long everyMillis) {
    thread.scheduleWithFixedDelay(this::signAgain, everyMillis, everyMillis, TimeUnit.MILLISECONDS);
  }

  private void signAgain() {
    try {
      sign();
    } catch (RuntimeException e) {
      LOG.error("signing the ends of chains failed; it is tried again", e);
    }
  }

  /** The checkpoints in such a file; none if there is no file. */
  public static List<Checkpoint> kept(Path file) {
    return Files.exists(file)
        ? Checkpoint.decodeAll(new String(SecretFile.readBytes(file), StandardCharsets.UTF_8))
        : List.of();
  }

  /** The newest of each chain that the file holds. */
  public synchronized List<Checkpoint> newest() {
    return List.copyOf(newest.values());
  }

  /** Signs what is new, and says what is the newest of each chain. */
  public synchronized List<Checkpoint> sign() {
    for (Chain chain : chains) {
      Optional<Checkpoint> last = Optional.ofNullable(newest.get(chain.name()));
      try {
        sql.run("sign the end of a chain", connection -> signed(connection, chain, last))
            .ifPresent(this::write);
      } catch (SecurityRefusal e) {
        LOG.warn("the end of the chain '{}' was not signed; it is tried again", chain.name(), e);
      }
    }
    return newest();
  }

  private Optional<Checkpoint> signed(Connection connection, Chain chain, Optional<Checkpoint> last)
      throws SQLException {
    ChainHead head = chain.head(connection);
    if (last.isPresent() && !stillSays(connection, chain, last.get())) {
      LOG.error(
          "the chain '{}' is not what it was: line {} was signed on {} and is gone or another. It"
              + " is not signed any more; look with 'gleaner audit verify'. If the database was"
              + " restored from a backup, move {} away",
          chain.name(),
          last.get().line(),
          last.get().at(),
          file);
      return Optional.empty();
    }
    if (head.line() < 1 || last.filter(before -> before.line() == head.line()).isPresent()) {
      return Optional.empty();
    }
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    Checkpoint checkpoint = Checkpoint.sign(chain.name(), head, now, key);
    Checkpoints.add(connection, checkpoint);
    return Optional.of(checkpoint);
  }

  private synchronized void write(Checkpoint checkpoint) {
    keep(checkpoint);
    String text = newest.values().stream().map(Checkpoint::encode).collect(Collectors.joining());
    SecretFile.writeBytes(file, text.getBytes(StandardCharsets.UTF_8));
  }

  private static boolean stillSays(Connection connection, Chain chain, Checkpoint last)
      throws SQLException {
    return chain.after(connection, last.line() - 1, 1).stream()
        .anyMatch(line -> line.number() == last.line() && line.hash().equals(last.hash()));
  }

  private synchronized void keep(Checkpoint checkpoint) {
    newest.put(checkpoint.chain(), checkpoint);
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("the notary did not end in time");
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    sign();
  }
}
