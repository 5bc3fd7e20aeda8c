package io.gleaner.audit;

import io.gleaner.audit.ChainReport.Finding;
import io.gleaner.signing.Signer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Reads a chain from its first line and says what was changed, removed, moved or cut off. Reading
 * must see one moment of the database. For one thread.
 */
public final class ChainCheck {
  private static final int PAGE = 1_000;

  private final Evidence evidence;
  private final ChainWalk walk = new ChainWalk();
  private final TreeMap<Long, List<Checkpoint>> ahead = new TreeMap<>();
  private final Set<Signer> signers = new HashSet<>();
  private final List<Finding> findings = new ArrayList<>();
  private long lines;
  private long signedLine;
  private boolean rewritten;

  private ChainCheck(Evidence evidence) {
    this.evidence = evidence;
  }

  /**
   * Checks a whole chain.
   *
   * @param connection in a transaction that sees one moment
   */
  public static ChainReport check(Connection connection, Chain chain, Evidence evidence)
      throws SQLException {
    ChainCheck check = new ChainCheck(evidence);
    check.gather(Checkpoints.of(connection, chain.name()), chain.name());
    check.read(connection, chain);
    check.requireSigners();
    return new ChainReport(
        chain.name(), check.lines, check.signedLine, check.signers, check.findings);
  }

  private void gather(List<Checkpoint> stored, String chain) {
    for (Checkpoint checkpoint : stored) {
      if (!checkpoint.isSigned()) {
        report(
            checkpoint.line(),
            "the checkpoint of line " + checkpoint.line() + " is not signed by its signer");
      } else if (evidence.counts(checkpoint.signer())) {
        expect(checkpoint);
        signers.add(checkpoint.signer());
      }
    }
    for (Checkpoint kept : evidence.kept()) {
      if (kept.chain().equals(chain)) {
        expect(kept);
      }
    }
  }

  /** Who writes to the database can take every checkpoint away, but not the lines they are of. */
  private void requireSigners() {
    for (Signer signer : evidence.signers()) {
      if (lines > 0 && !signers.contains(signer)) {
        report(
            0,
            "no checkpoint in the database is signed by "
                + signer
                + ", which leaves "
                + lines
                + " lines; a node signs when it starts, every five minutes, and at its end");
      }
    }
  }

  private void expect(Checkpoint checkpoint) {
    ahead.computeIfAbsent(checkpoint.line(), line -> new ArrayList<>()).add(checkpoint);
  }

  private void read(Connection connection, Chain chain) throws SQLException {
    for (List<ChainLine> page = chain.after(connection, 0, PAGE);
        !page.isEmpty();
        page = chain.after(connection, walk.number(), PAGE)) {
      for (ChainLine line : page) {
        lines++;
        walk.step(line).ifPresent(wrong -> report(line.number(), wrong));
        compare(line);
      }
    }
    walk.end(chain.head(connection)).ifPresent(wrong -> report(walk.number(), wrong));
    var last = ahead.lastEntry();
    if (last != null && last.getKey() > walk.number()) {
      report(
          walk.number() + 1,
          "lines up to "
              + last.getKey()
              + " were signed on "
              + last.getValue().get(0).at()
              + ", the last one here is "
              + walk.number()
              + ": the end was cut off");
    }
  }

  private void compare(ChainLine line) {
    List<Checkpoint> signed = ahead.remove(line.number());
    if (signed == null) {
      return;
    }
    List<Checkpoint> others =
        signed.stream()
            .filter(each -> !each.hash().equals(line.hash()))
            .collect(Collectors.toList());
    if (others.isEmpty()) {
      signedLine = line.number();
    } else if (!rewritten) {
      // Once: whatever follows a line that was rewritten has another hash too.
      rewritten = true;
      report(
          line.number(),
          "line "
              + line.number()
              + " is not what was signed on "
              + others.get(0).at()
              + ": something between line "
              + (signedLine + 1)
              + " and it was rewritten");
    }
  }

  private void report(long line, String what) {
    findings.add(new Finding(line, what));
  }
}
