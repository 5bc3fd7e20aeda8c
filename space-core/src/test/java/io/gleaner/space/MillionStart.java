package io.gleaner.space;

import io.gleaner.matching.EntryCodec;
import io.gleaner.storage.StorageSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * What it takes to start a space that has many small entries, by hand: {@code fill <folder> <how
 * many>} writes them and halts as if killed, {@code start <folder>} starts it again.
 */
final class MillionStart {
  private static final int AT_ONCE = 1_000;
  private static final int UNDER_WAY = 16;

  private MillionStart() {}

  public static void main(String[] arguments) throws Exception {
    StorageSettings folder = StorageSettings.in(Path.of(arguments[1]));
    long begin = System.nanoTime();
    HazelcastSpace space = HazelcastSpace.startDurable(SpaceSettings.defaults(), folder);
    System.out.printf("started in %.1f s%n", (System.nanoTime() - begin) / 1e9);
    if (arguments[0].equals("fill")) {
      fill(space, Integer.parseInt(arguments[2]));
      System.out.printf("filled after %.1f s%n", (System.nanoTime() - begin) / 1e9);
    } else {
      long session = space.open("reads", event -> {}).join();
      Command any =
          new Command.Match(
              "test", Command.Mode.TAKE, List.of(EntryCodec.encode(new SpreadNote())), 0, 0, 1);
      System.out.println(space.execute(session, 1, 1, any).join());
    }
    System.gc();
    Runtime memory = Runtime.getRuntime();
    System.out.printf(
        "heap in use %d MB, most resident %s, load %s%n",
        (memory.totalMemory() - memory.freeMemory()) >> 20,
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("VmHWM"))
            .findFirst()
            .orElse("unknown"),
        Files.readString(Path.of("/proc/loadavg")).strip());
    memory.halt(0);
  }

  private static void fill(HazelcastSpace space, int entries) {
    long session = space.open("fills", event -> {}).join();
    CompletableFuture<?>[] under = new CompletableFuture<?>[UNDER_WAY];
    for (int batch = 0; batch < entries / AT_ONCE; batch++) {
      int slot = batch % UNDER_WAY;
      if (under[slot] != null) {
        under[slot].join();
      }
      int first = batch * AT_ONCE;
      under[slot] =
          space.execute(
              session,
              batch + 1L,
              Math.max(1, batch + 1L - UNDER_WAY),
              new Command.Write(
                  "test",
                  IntStream.range(first, first + AT_ONCE)
                      .mapToObj(i -> EntryCodec.encode(new SpreadNote("key " + i % 997, i)))
                      .toList(),
                  Collections.nCopies(AT_ONCE, Long.MAX_VALUE),
                  0));
    }
    CompletableFuture.allOf(under).join();
  }
}
