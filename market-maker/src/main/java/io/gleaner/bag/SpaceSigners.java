package io.gleaner.bag;

import io.gleaner.audit.Actor;
import io.gleaner.audit.Deed;
import io.gleaner.audit.SecurityEvent;
import io.gleaner.audit.SecurityLog;
import io.gleaner.signing.Signer;
import io.gleaner.signing.SignerKey;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.SignerEntry;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import net.jini.core.lease.Lease;
import net.jini.space.JavaSpace;
import net.jini.space.MatchSet;

/**
 * Whose signatures of programs the pool vouches for, and what it has revoked: decided in SQL, each
 * change with its line of the security log, and then told in the market's space, where launchers
 * look. Safe for all threads.
 */
public final class SpaceSigners implements Signers {
  /** Whose the keys of nodes are; no user can be called that. */
  public static final String NODE = "(node)";

  private static final int MOST_KEYS = 20;
  private static final int MOST_EVER = 500;
  private static final int MOST_LISTED = 10_000;

  private final BagDatabase database;
  private final SecurityLog log;
  private final InstantSource clock;
  private final TupleSpace space;
  private final SignerKey node;

  private SpaceSigners(DataSource source, TupleSpace space, Path nodeKey, InstantSource clock) {
    this.database = new BagDatabase(source);
    this.log = new SecurityLog(source, clock);
    this.clock = clock;
    this.space = space;
    this.node = keyOfNode(nodeKey);
  }

  /**
   * Opens the list, with the node's own key on it, and brings the space into line with it.
   *
   * @param source a database with the migrations applied
   * @param space the market's; stays open
   * @param nodeKey the file of the key that signs programs that come unsigned; made anew if it is
   *     not there, or was revoked
   */
  public static SpaceSigners open(
      DataSource source, TupleSpace space, Path nodeKey, InstantSource clock) {
    SpaceSigners signers = new SpaceSigners(source, space, nodeKey, clock);
    signers.learn();
    signers.list(Optional.empty()).forEach(signers::tell);
    return signers;
  }

  SignerKey node() {
    return node;
  }

  @Override
  public Known add(Actor owner, Signer signer) {
    Known wanted = new Known(signer.hex(), owner.name(), false);
    Known known =
        database.run(
            "add a signer",
            connection -> {
              Optional<Known> before = SignerTable.find(connection, signer.hex());
              if (before.isPresent()) {
                return requireSame(before.get(), wanted);
              }
              requireRoom(SignerTable.list(connection, Optional.of(owner.name()), MOST_EVER));
              insert(connection, wanted, owner);
              return wanted;
            });
    tell(known);
    return known;
  }

  @Override
  public Known revoke(String subject, Actor by) {
    Known known =
        database.run(
            "revoke a signer",
            connection -> {
              Optional<Known> before = SignerTable.find(connection, subject);
              if (before.filter(Known::revoked).isPresent()) {
                return before.get();
              }
              Known revoked = new Known(subject, before.map(Known::owner).orElse(by.name()), true);
              Deed deed = before.isPresent() ? Deed.SIGNER_REVOKED : Deed.PROGRAM_REVOKED;
              if (before.isPresent()) {
                SignerTable.revoke(connection, subject);
              } else {
                SignerTable.insert(connection, revoked, clock.millis());
              }
              log.record(
                  connection, SecurityEvent.done(deed, by, subject, "owner=" + revoked.owner()));
              return revoked;
            });
    tell(known);
    return known;
  }

  @Override
  public List<Known> list(Optional<String> owner) {
    return database.run(
        "list the signers", connection -> SignerTable.list(connection, owner, MOST_LISTED));
  }

  /** Whether the pool vouches for the key and has not revoked it. */
  boolean vouchesFor(Signer signer) {
    return find(signer.hex()).filter(known -> !known.revoked()).isPresent();
  }

  boolean isRevoked(String subject) {
    return find(subject).filter(Known::revoked).isPresent();
  }

  @Override
  public Optional<Known> find(String subject) {
    return database.run("look for a signer", connection -> SignerTable.find(connection, subject));
  }

  private SignerKey keyOfNode(Path file) {
    SignerKey kept = SignerKey.readOrCreate(file);
    SignerKey key = isRevoked(kept.signer().hex()) ? SignerKey.replace(file) : kept;
    Known known = new Known(key.signer().hex(), NODE, false);
    return database.run(
        "add the key of this node",
        connection -> {
          if (SignerTable.find(connection, known.subject()).isEmpty()) {
            insert(connection, known, Actor.NODE);
          }
          return key;
        });
  }

  private void insert(Connection connection, Known known, Actor by) throws SQLException {
    SignerTable.insert(connection, known, clock.millis());
    log.record(
        connection,
        SecurityEvent.done(Deed.SIGNER_ADDED, by, known.subject(), "owner=" + known.owner()));
  }

  private static Known requireSame(Known before, Known wanted) {
    if (before.revoked()) {
      throw refusal("the signer " + wanted.subject() + " was revoked; make a new key");
    }
    if (!before.owner().equals(wanted.owner())) {
      throw refusal(
          "the signer "
              + wanted.subject()
              + " is the key of another user already; make one of your own");
    }
    return before;
  }

  private static void requireRoom(List<Known> theirs) {
    if (theirs.stream().filter(known -> !known.revoked()).count() >= MOST_KEYS) {
      throw refusal("you have " + MOST_KEYS + " keys already; revoke one first");
    }
    if (theirs.size() >= MOST_EVER) {
      throw refusal("you have had " + MOST_EVER + " keys, and nobody has more");
    }
  }

  /** Takes over what an earlier version kept in the space only; what had no proof goes. */
  private void learn() {
    BagTuples.asked(
        "read the signers",
        () -> {
          MatchSet all = space.contents(List.of(new SignerEntry()), null, Lease.ANY, MOST_LISTED);
          for (SignerEntry each = (SignerEntry) all.next();
              each != null;
              each = (SignerEntry) all.next()) {
            if (find(each.subject).isPresent()) {
              continue;
            }
            if (each.revoked) {
              revoke(each.subject, Actor.NODE);
            } else {
              space.takeIfExists(each, null, JavaSpace.NO_WAIT);
            }
          }
          return all;
        });
  }

  /** Says in the space what is decided; more than once does no harm. */
  private void tell(Known known) {
    BagTuples.asked(
        "tell of a signer",
        () -> {
          SignerEntry entry = SignerEntry.of(known.subject(), known.revoked());
          if (space.readIfExists(entry, null, JavaSpace.NO_WAIT) == null) {
            entry.owner = known.owner();
            space.write(entry, null, Lease.FOREVER);
          }
          return known;
        });
  }

  private static BagException refusal(String why) {
    return new BagException(BagException.Code.LIMIT, why);
  }
}
