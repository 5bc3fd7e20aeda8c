package io.gleaner.space.hosting;

import io.gleaner.space.core.Cell;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Images of cells on their way from member to member. */
final class Image {
  private static final SecureRandom RANDOM = new SecureRandom();

  private long number;
  private List<byte[]> parts = new ArrayList<>();

  /** A cell that has arrived, and the time of the cell when its image was made. */
  record Arrived(Cell cell, long timeNanos) {}

  /**
   * The image of a cell, cut for the way.
   *
   * @param owned whether the owner of the cell sends it
   */
  static List<Word.Chunk> of(Cell cell, long timeNanos, boolean owned) {
    List<byte[]> parts = new ArrayList<>();
    cell.save(parts::add);
    long number = RANDOM.nextLong();
    List<Word.Chunk> chunks = new ArrayList<>(parts.size());
    for (byte[] part : parts) {
      chunks.add(new Word.Chunk(number, chunks.size(), parts.size(), timeNanos, owned, part));
    }
    return chunks;
  }

  /** Takes the next part; answers the cell with the last one. */
  Optional<Arrived> add(Word.Chunk chunk) {
    if (chunk.part() == 0) {
      number = chunk.image();
      parts = new ArrayList<>();
    }
    if (chunk.image() != number || chunk.part() != parts.size()) {
      return Optional.empty(); // a part was lost; whoever needs the image asks again
    }
    parts.add(chunk.bytes());
    if (parts.size() < chunk.parts()) {
      return Optional.empty();
    }
    Cell cell = Cell.load(parts.iterator());
    parts = new ArrayList<>();
    return Optional.of(new Arrived(cell, chunk.timeNanos()));
  }
}
