package io.gleaner.mechanism;

import io.gleaner.book.Eligibility;
import io.gleaner.book.Offer;
import io.gleaner.book.Requirements;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tells which offers are alike for the classes of a round, so that ten thousand launchers are
 * compared with the classes as a few types.
 */
public final class SlotTypes {

  /** What of an offer these classes can see. */
  public record Type(
      Set<String> kinds,
      int memoryStep,
      Set<String> words,
      Set<String> signers,
      Set<String> refused) {}

  private final TreeSet<Integer> memorySteps = new TreeSet<>();
  private final Set<String> words = new HashSet<>();
  private final Set<String> signers = new HashSet<>();
  private final Set<String> programs = new HashSet<>();

  public SlotTypes(Collection<Requirements> classes) {
    for (Requirements requirements : classes) {
      memorySteps.add(requirements.memoryMegabytes());
      words.addAll(requirements.runOn());
      signers.add(requirements.signer());
      programs.add(requirements.program());
    }
  }

  /** Two offers of the same type fit exactly the same classes. */
  public Type of(Offer offer) {
    Set<String> answered = new HashSet<>();
    for (String word : words) {
      if (Eligibility.answers(offer, word)) {
        answered.add(word);
      }
    }
    Set<String> trusted = new HashSet<>(signers);
    if (!offer.signers().isEmpty()) {
      trusted.retainAll(offer.signers());
    }
    Set<String> refused = new HashSet<>(programs);
    refused.retainAll(offer.refused());
    Integer step = memorySteps.floor(offer.memoryMegabytes());
    return new Type(offer.kinds(), step == null ? -1 : step, answered, trusted, refused);
  }
}
