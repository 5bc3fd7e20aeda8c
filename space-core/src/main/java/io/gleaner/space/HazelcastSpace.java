package io.gleaner.space;

import io.gleaner.blob.BlobUse;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.core.Fingerprint;
import io.gleaner.space.core.Message;
import io.gleaner.space.core.Routing;
import io.gleaner.space.hosting.JournalKeeping;
import io.gleaner.space.hosting.Keeping;
import io.gleaner.space.hosting.SpaceMember;
import io.gleaner.storage.JournalSettings;
import io.gleaner.storage.ServerSettings;
import io.gleaner.storage.StorageSettings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The space of a node: each cell of the core lives in one partition of an embedded Hazelcast member
 * or of another member of its cluster. Safe for all threads.
 */
public final class HazelcastSpace implements NodeEngine {
  private static final Logger LOG = LoggerFactory.getLogger(HazelcastSpace.class);
  private static final long USE_SECONDS = 120;

  private final SpaceMember member;
  private final int cells;
  private final boolean durable;
  private final SecureRandom random = new SecureRandom();

  private HazelcastSpace(SpaceMember member, SpaceSettings settings, boolean durable) {
    this.member = member;
    this.cells = settings.partitions();
    this.durable = durable;
  }

  /**
   * Starts an embedded member that founds a space or joins one. The space is not durable: it ends
   * with its last member.
   *
   * @throws IllegalStateException if there is no space to join
   */
  public static HazelcastSpace start(SpaceSettings settings) {
    LOG.info("this space is not durable: what is in it is gone when all its members have ended");
    return new HazelcastSpace(SpaceMember.start(settings, Keeping.NOTHING), settings, false);
  }

  /**
   * Starts a space of one member, which nobody can join, whose acknowledged changes are in the
   * folder: as they were, if it was there before.
   *
   * @throws IllegalArgumentException if the settings name members to join
   * @throws io.gleaner.storage.StorageException if the folder is not one of such a space, or cannot
   *     be used
   */
  public static HazelcastSpace startDurable(SpaceSettings settings, StorageSettings storage) {
    return startDurable(settings, storage, JournalSettings.of(settings.partitions()));
  }

  /**
   * Starts a member of a space whose acknowledged changes are in a database of a PostgreSQL server,
   * which all members of the space share. One that founds the space begins with what is there; if
   * the space was at another place, that one acknowledges nothing more and closes.
   *
   * @throws IllegalStateException if there is no space to join
   * @throws io.gleaner.storage.StorageException if the database is not one of such a space, or
   *     cannot be used
   */
  public static HazelcastSpace startDurable(SpaceSettings settings, ServerSettings server) {
    JournalSettings keeping = JournalSettings.of(settings.partitions());
    return startDurable(settings, () -> JournalKeeping.open(server, keeping));
  }

  static HazelcastSpace startDurable(
      SpaceSettings settings, StorageSettings storage, JournalSettings keeping) {
    if (!settings.member().founds()) {
      throw new IllegalArgumentException(
          "a space that is kept in a folder has one member, and this one is to join "
              + settings.member().join()
              + "; start it without addresses, or keep the space on a PostgreSQL server that all"
              + " members share");
    }
    SpaceSettings alone =
        new SpaceSettings(
            MemberSettings.alone(),
            settings.partitions(),
            settings.partitionThreads(),
            settings.limits(),
            settings.storagePatience());
    return startDurable(alone, () -> JournalKeeping.open(storage, keeping));
  }

  private static HazelcastSpace startDurable(SpaceSettings settings, Supplier<Keeping> opening) {
    Keeping journal = opening.get();
    try {
      return new HazelcastSpace(SpaceMember.start(settings, journal), settings, true);
    } catch (RuntimeException e) {
      journal.close();
      throw e;
    }
  }

  @Override
  public CompletableFuture<Long> open(String holder, Consumer<SpaceEvent> events) {
    return open(new SessionName(holder, random.nextLong()), 0, true, events);
  }

  @Override
  public CompletableFuture<Long> open(
      SessionName name, long tenure, boolean begins, Consumer<SpaceEvent> events) {
    return member.open(name, tenure, begins, events);
  }

  @Override
  public void leave(long session, long tenure) {
    member.leave(session, tenure);
  }

  @Override
  public CompletableFuture<List<EncodedEntry>> taken(
      String space, long transaction, EncodedEntry template) {
    return member.taken(space, transaction, template);
  }

  @Override
  public boolean outlivesNode() {
    return durable || member.members() > 1;
  }

  @Override
  public CompletableFuture<Reply> execute(
      long session, long sequence, long lowestUnanswered, Command command, Receipt receipt) {
    long fingerprint = Fingerprint.of(session, command);
    return member.ask(
        Routing.home(session, command, cells),
        caller ->
            new Message.Request(
                caller, session, sequence, lowestUnanswered, fingerprint, command, receipt));
  }

  @Override
  public CompletableFuture<Void> close(long session) {
    return close(session, Long.MAX_VALUE);
  }

  @Override
  public CompletableFuture<Void> close(long session, long tenure) {
    member.leave(session, tenure);
    return member.ask(
        Routing.homeOf(session, cells), caller -> new Message.Close(caller, session, tenure));
  }

  /**
   * The blobs that entries of the space name, those included that are taken and may come back. It
   * looks at every entry, one cell at a time, while the others go on.
   */
  public BlobUse blobs() {
    return digests -> {
      Map<String, Set<String>> used = new HashMap<>();
      try {
        for (String digest : member.named(digests).get(USE_SECONDS, TimeUnit.SECONDS)) {
          used.put(digest, Set.of());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while the space looked for blobs in use");
      } catch (ExecutionException | TimeoutException e) {
        throw new IOException("the space cannot tell now which blobs are in use", e);
      }
      return used;
    };
  }

  /** The member of the cluster that this node is. */
  public SpaceMember member() {
    return member;
  }

  /** Leaves the cluster; whoever still waits here is told. */
  @Override
  public void close() {
    member.close();
  }
}
