package io.gleaner.bag;

import io.gleaner.signing.Signer;
import io.gleaner.signing.SignerKey;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.SignerEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import net.jini.core.lease.Lease;
import net.jini.space.JavaSpace;
import net.jini.space.MatchSet;

/**
 * Whose signatures of programs the pool vouches for, and what it has revoked, in the market's
 * space, where launchers look. Safe for all threads.
 */
public final class SpaceSigners implements Signers {
  /** Whose name a node's own key has. */
  public static final String POOL = "pool";

  private static final int MOST_KEYS = 20;
  private static final int MOST_LISTED = 10_000;

  private final TupleSpace space;
  private final SignerKey node;

  private SpaceSigners(TupleSpace space, SignerKey node) {
    this.space = space;
    this.node = node;
  }

  /**
   * Opens the list, with the node's own key on it.
   *
   * @param space the market's; stays open
   * @param node signs programs that come unsigned
   */
  public static SpaceSigners open(TupleSpace space, SignerKey node) {
    SpaceSigners signers = new SpaceSigners(space, node);
    if (!signers.says(node.signer().hex(), false)) {
      signers.write(node.signer().hex(), POOL, false);
    }
    return signers;
  }

  SignerKey node() {
    return node;
  }

  @Override
  public Known add(String owner, Signer signer) {
    List<Known> known = list(Optional.empty());
    if (known.stream().anyMatch(each -> each.subject().equals(signer.hex()) && each.revoked())) {
      throw refusal("the signer " + signer + " was revoked; make a new key");
    }
    Optional<Known> before =
        known.stream().filter(each -> each.subject().equals(signer.hex())).findFirst();
    if (before.isPresent()) {
      if (!before.get().owner().equals(owner)) {
        throw refusal("the signer " + signer + " is the key of another user; make one of your own");
      }
      return before.get();
    }
    if (known.stream().filter(each -> each.owner().equals(owner)).count() >= MOST_KEYS) {
      throw refusal("you have " + MOST_KEYS + " keys already; revoke one first");
    }
    write(signer.hex(), owner, false);
    return new Known(signer.hex(), owner, false);
  }

  @Override
  public Known revoke(String subject, String by) {
    if (!says(subject, true)) {
      write(subject, by, true);
    }
    return new Known(subject, by, true);
  }

  @Override
  public List<Known> list(Optional<String> owner) {
    return BagTuples.asked(
        "list the signers",
        () -> {
          SignerEntry template = new SignerEntry();
          template.owner = owner.orElse(null);
          List<Known> known = new ArrayList<>();
          MatchSet all = space.contents(List.of(template), null, Lease.ANY, MOST_LISTED);
          for (SignerEntry each = (SignerEntry) all.next();
              each != null;
              each = (SignerEntry) all.next()) {
            known.add(new Known(each.subject, each.owner, each.revoked));
          }
          known.sort(Comparator.comparing(Known::owner).thenComparing(Known::subject));
          return known;
        });
  }

  /** Whether the pool vouches for the key and has not revoked it. */
  boolean vouchesFor(Signer signer) {
    return says(signer.hex(), false) && !says(signer.hex(), true);
  }

  boolean isRevoked(String subject) {
    return says(subject, true);
  }

  private boolean says(String subject, boolean revoked) {
    return BagTuples.asked(
        "look for a signer",
        () ->
            space.readIfExists(SignerEntry.of(subject, revoked), null, JavaSpace.NO_WAIT) != null);
  }

  private void write(String subject, String owner, boolean revoked) {
    SignerEntry entry = SignerEntry.of(subject, revoked);
    entry.owner = owner;
    BagTuples.asked("write a signer", () -> space.write(entry, null, Lease.FOREVER));
  }

  private static BagException refusal(String why) {
    return new BagException(BagException.Code.LIMIT, why);
  }
}
