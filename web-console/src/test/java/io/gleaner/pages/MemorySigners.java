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
    Optional<Known> before = find(subject);
    Known revoked = new Known(subject, before.map(Known::owner).orElse(by.name()), true);
    known.removeIf(each -> each.subject().equals(subject));
    known.add(revoked);
    return revoked;
  }

  @Override
  public Optional<Known> find(String subject) {
    return known.stream().filter(each -> each.subject().equals(subject)).findFirst();
  }

  @Override
  public List<Known> list(Optional<String> owner) {
    return known.stream().filter(each -> owner.map(each.owner()::equals).orElse(true)).toList();
  }
}
