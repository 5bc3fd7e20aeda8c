package io.gleaner.storage;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a journal has of its cells, as text. */
final class Recovered implements Recovery {
  final Map<Integer, String> images = new TreeMap<>();
  final Map<Integer, Long> imageNumbers = new HashMap<>();
  final Map<Integer, TreeMap<Long, String>> records = new TreeMap<>();
  final Map<Integer, Long> epochs;
  final Map<Integer, Long> last;

  /** Hears what somebody else asks for. */
  Recovered() {
    epochs = Map.of();
    last = Map.of();
  }

  /** Takes over the cells from 0 and reads all there is. */
  Recovered(Journal journal, int cells) {
    epochs =
        journal.takeOver("one", IntStream.range(0, cells).boxed().collect(Collectors.toList()));
    last = journal.recover(epochs, Map.of(), this);
  }

  @Override
  public void image(int cell, long number, byte[] part) {
    images.merge(cell, new String(part, StandardCharsets.UTF_8), String::concat);
    imageNumbers.put(cell, number);
  }

  @Override
  public void record(int cell, long number, byte[] record) {
    records
        .computeIfAbsent(cell, any -> new TreeMap<>())
        .put(number, new String(record, StandardCharsets.UTF_8));
  }

  String record(int cell, long number) {
    return records.getOrDefault(cell, new TreeMap<>()).get(number);
  }

  static List<byte[]> texts(String... texts) {
    return java.util.Arrays.stream(texts)
        .map(text -> text.getBytes(StandardCharsets.UTF_8))
        .toList();
  }
}
