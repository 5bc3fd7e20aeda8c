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

  /** Less than this in all cells together is repeated as fast as images of them are written. */
  private static final long LITTLE_BYTES = 64 << 10;

  /** A byte of a record takes so many times as long to repeat as one of an image to write. */
  private static final int SLOWER = 8;

  private final long logBytes;
  private final int cells;
  private final BitSet owned;
  private final long[] oldest;
  private final long[] latest;
  private final long[] imageBytes;

  /** Of the records since the image. */
  private final long[] recordBytes;

  private final Set<Integer> asked = new HashSet<>();
  private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
  private long bytes;
  private long dropped;
  private long newest;
  private long counted;

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
    this.cells = cells;
    this.owned = new BitSet(cells);
    this.oldest = new long[cells];
    this.latest = new long[cells];
    this.imageBytes = new long[cells];
    this.recordBytes = new long[cells];
  }

  /** A cell of this member is as the journal has it. */
  synchronized void owns(int cell, JournalReader.Extent found) {
    owned.set(cell);
    oldest[cell] = found.firstBatch;
    latest[cell] = found.lastBatch;
    imageBytes[cell] = found.imageBytes;
    recordBytes[cell] = found.recordBytes;
    asked.remove(cell);
  }

  synchronized void disowns(int cell) {
    owned.clear(cell);
    oldest[cell] = NONE;
    imageBytes[cell] = 0;
    recordBytes[cell] = 0;
    asked.remove(cell);
  }

  /** This member has appended a batch. */
  synchronized void appended(long batch, Collection<Append> appends) {
    newest = Math.max(newest, batch);
    for (Append append : appends) {
      int cell = append.cell();
      if (owned.get(cell)) {
        latest[cell] = batch;
        recordBytes[cell] += append.bytes();
        if (oldest[cell] == NONE) {
          oldest[cell] = batch;
        }
      }
    }
  }

  /** There are so many bytes in the batches up to that one, whosever they are. */
  synchronized void counted(long batch, long batchBytes) {
    if (batch <= counted) {
      return;
    }
    counted = batch;
    newest = Math.max(newest, batch);
    if (pieces.isEmpty() || pieces.peekLast().bytes >= PIECE_BYTES) {
      pieces.addLast(new Piece(batch));
    }
    pieces.peekLast().bytes += batchBytes;
    bytes += batchBytes;
  }

  /** The last batch whose bytes were counted. */
  synchronized long counted() {
    return counted;
  }

  /** What is known of the records of a cell now: all of them are in an image that begins now. */
  synchronized Mark mark(int cell) {
    return new Mark(newest, recordBytes[cell]);
  }

  /** The newest batch, and the bytes of a cell's records since its image. */
  record Mark(long batch, long recordBytes) {}

  /** The cell has an image of the time of the mark. */
  synchronized void imaged(int cell, Mark then, long bytesOfImage) {
    if (!owned.get(cell)) {
      return;
    }
    long mark = then.batch();
    imageBytes[cell] = bytesOfImage;
    recordBytes[cell] = Math.max(0, recordBytes[cell] - then.recordBytes());
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
    // Images of the cells of others are taken to be as large as those of this member.
    long images = Arrays.stream(imageBytes).sum() / Math.max(1, owned.cardinality()) * cells;
    if (bytes <= Math.max(logBytes, images) || asked.size() >= AT_A_TIME) {
      return List.of();
    }
    List<Integer> old = new ArrayList<>();
    owned.stream().filter(cell -> oldest[cell] != NONE && !asked.contains(cell)).forEach(old::add);
    old.sort(Comparator.comparingLong(cell -> oldest[cell]));
    List<Integer> due = List.copyOf(old.subList(0, Math.min(AT_A_TIME - asked.size(), old.size())));
    asked.addAll(due);
    return due;
  }

  /** Cells that are loaded from a new image sooner than they are repeated, the slowest first. */
  synchronized List<Integer> slowToRepeat() {
    if (owned.stream().mapToLong(cell -> recordBytes[cell]).sum() < LITTLE_BYTES) {
      return List.of();
    }
    return owned.stream()
        .filter(cell -> recordBytes[cell] > imageBytes[cell] / SLOWER)
        .boxed()
        .sorted(Comparator.comparingLong(cell -> -recordBytes[cell]))
        .toList();
  }

  /** The cells of this member, and the first batch that one of them needs. */
  record Floor(List<Integer> cells, long batch) {}

  synchronized Floor floor() {
    long first =
        owned.stream()
            .mapToLong(cell -> oldest[cell])
            .filter(batch -> batch != NONE)
            .min()
            .orElse(newest + 1);
    return new Floor(owned.stream().boxed().toList(), first);
  }

  /** Forgets what lies before the floor; true if that is enough to be worth deleting. */
  synchronized boolean dropBefore(long floor) {
    while (!pieces.isEmpty()
        && (pieces.size() > 1 ? secondOf(pieces).first <= floor : newest < floor)) {
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

  private static Piece secondOf(ArrayDeque<Piece> pieces) {
    var each = pieces.iterator();
    each.next();
    return each.next();
  }
}
