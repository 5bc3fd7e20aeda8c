package io.gleaner.pages;

import io.gleaner.audit.Actor;
import io.gleaner.bag.Signers;
import io.gleaner.signing.Signer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Signers without a space. */
final class MemorySigners implements Signers {
  private final List<Known> known = new CopyOnWriteArrayList<>();

  @Override
  public Known add(Actor owner, Signer signer) {
    Known added = new Known(signer.hex(), owner.name(), false);
    known.add(added);
    return added;
  }

  @Override
  public Known revoke(String subject, Actor by) {
    Known revoked = new Known(subject, by.name(), true);
    known.add(revoked);
    return revoked;
  }

  @Override
  public List<Known> list(Optional<String> owner) {
    return known.stream().filter(each -> owner.map(each.owner()::equals).orElse(true)).toList();
  }
}
