package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import java.util.ArrayList;
import java.util.List;

/** The life of one entry. */
final class Tuple {
  final EncodedEntry entry;
  final long leaseMillis;
  final Operation writing;
  final List<Operation> takes = new ArrayList<>();
  final List<Operation> reads = new ArrayList<>();
  boolean leaseTouched;
  long goneStep = Long.MAX_VALUE;

  Tuple(EncodedEntry entry, long leaseMillis, Operation writing) {
    this.entry = entry;
    this.leaseMillis = leaseMillis;
    this.writing = writing;
  }

  boolean matches(String space, List<EncodedEntry> templates) {
    if (space().equals(space)) {
      for (EncodedEntry template : templates) {
        if (template.matches(entry)) {
          return true;
        }
      }
    }
    return false;
  }

  String space() {
    return ((Command.Write) writing.command).space();
  }

  boolean isEverlasting() {
    return leaseMillis == Long.MAX_VALUE && !leaseTouched;
  }

  /** It was written for certain and for everybody, and no later than the step. */
  boolean isPublishedBefore(long step) {
    return writing.truth instanceof Reply.Written
        && (writing.under == null
            ? truthStep < step
            : writing.under.outcome == Deal.Outcome.COMMITTED && writing.under.endedStep < step);
  }

  long truthStep = Long.MAX_VALUE;
  long truthNanos;

  @Override
  public String toString() {
    return entry + " written by " + writing + " taken by " + takes;
  }
}
