package io.gleaner.storage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How far back the journal reaches for the cells of this member, and which of them should get a new
 * image: those that need its oldest batches, while it is longer than all images together. Each time
 * the journal turns over, each cell is written at most once, so an append costs its own bytes a
 * constant number of times. Every method under its lock.
 */
final class LogExtent {
  private static final long NONE = 0;
  private static final long PIECE_BYTES = 256 << 10;
  private static final int AT_A_TIME = 8;

  private final long logBytes;
  private final BitSet owned;
  private final long[] oldest;
  private final long[] latest;
  private final long[] imageBytes;
  private final Set<Integer> asked = new HashSet<>();
  private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
  private long bytes;
  private long dropped;
  private long newest;

  /** Batches that follow each other; the last one still grows. */
  private static final class Piece {
    final long first;
    long bytes;

    Piece(long first) {
      this.first = first;
    }
  }

  LogExtent(int cells, long logBytes) {
    this.logBytes = logBytes;
    this.owned = new BitSet(cells);
    this.oldest = new long[cells];
    this.latest = new long[cells];
    this.imageBytes = new long[cells];
  }

  /** A cell of this member has records in these batches; 0 and 0 if it has none. */
  synchronized void owns(int cell, long firstBatch, long lastBatch, long bytesOfImage) {
    owned.set(cell);
    oldest[cell] = firstBatch;
    latest[cell] = lastBatch;
    imageBytes[cell] = bytesOfImage;
    asked.remove(cell);
  }

  synchronized void disowns(int cell) {
    owned.clear(cell);
    oldest[cell] = NONE;
    imageBytes[cell] = 0;
    asked.remove(cell);
  }

  synchronized void appended(long batch, Collection<Integer> cells, long batchBytes) {
    newest = Math.max(newest, batch);
    if (pieces.isEmpty() || pieces.peekLast().bytes >= PIECE_BYTES) {
      pieces.addLast(new Piece(batch));
    }
    pieces.peekLast().bytes += batchBytes;
    bytes += batchBytes;
    for (int cell : cells) {
      if (owned.get(cell)) {
        latest[cell] = batch;
        if (oldest[cell] == NONE) {
          oldest[cell] = batch;
        }
      }
    }
  }

  /** The last batch there is: what is appended from now on comes in a later one. */
  synchronized long newest() {
    return newest;
  }

  /** The cell has an image of when {@link #newest} was {@code mark}. */
  synchronized void imaged(int cell, long mark, long bytesOfImage) {
    imageBytes[cell] = bytesOfImage;
    if (latest[cell] <= mark) {
      oldest[cell] = NONE;
    } else {
      // The first that came since is not known.
      oldest[cell] = Math.max(oldest[cell], mark + 1);
    }
    asked.remove(cell);
  }

  synchronized void imageFailed(int cell) {
    asked.remove(cell);
  }

  /** Cells that should get an image now; each is named once until it has one or failed. */
  synchronized List<Integer> due() {
    if (bytes <= Math.max(logBytes, Arrays.stream(imageBytes).sum()) || asked.size() >= AT_A_TIME) {
      return List.of();
    }
    List<Integer> cells = new ArrayList<>();
    owned.stream()
        .filter(cell -> oldest[cell] != NONE && !asked.contains(cell))
        .forEach(cells::add);
    cells.sort(Comparator.comparingLong(cell -> oldest[cell]));
    List<Integer> due =
        List.copyOf(cells.subList(0, Math.min(AT_A_TIME - asked.size(), cells.size())));
    asked.addAll(due);
    return due;
  }

  /** The first batch that a cell of this member needs. */
  synchronized long floor() {
    return owned.stream()
        .mapToLong(cell -> oldest[cell])
        .filter(batch -> batch != NONE)
        .min()
        .orElse(newest + 1);
  }

  /** Forgets what lies before the floor; true if that is enough to be worth deleting. */
  synchronized boolean dropBefore(long floor) {
    while (pieces.size() > 1 && secondOf(pieces).first <= floor) {
      long gone = pieces.removeFirst().bytes;
      bytes -= gone;
      dropped += gone;
    }
    if (dropped < logBytes / 16) {
      return false;
    }
    dropped = 0;
    return true;
  }

  synchronized List<Integer> owned() {
    return owned.stream().boxed().toList();
  }

  private static Piece secondOf(ArrayDeque<Piece> pieces) {
    var each = pieces.iterator();
    each.next();
    return each.next();
  }
}
