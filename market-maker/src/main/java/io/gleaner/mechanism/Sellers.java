package io.gleaner.mechanism;

import io.gleaner.book.Eligibility;
import io.gleaner.book.Offer;
import io.gleaner.book.Requirements;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Who could sell to each class: a class with few distinct owners is a thin market. */
final class Sellers {
  private record OwnersOfType(Offer example, Set<String> owners) {}

  private final Map<SlotTypes.Type, OwnersOfType> byType = new HashMap<>();

  Sellers(Collection<Offer> offers, Collection<Requirements> classes) {
    SlotTypes types = new SlotTypes(classes);
    for (Offer offer : offers) {
      byType
          .computeIfAbsent(types.of(offer), t -> new OwnersOfType(offer, new HashSet<>()))
          .owners()
          .add(offer.owner());
    }
  }

  /** Distinct owners of launchers that fit the class. */
  int owners(Requirements requirements) {
    Set<String> owners = new HashSet<>();
    for (OwnersOfType type : byType.values()) {
      if (Eligibility.fits(requirements, type.example())) {
        owners.addAll(type.owners());
      }
    }
    return owners.size();
  }
}
