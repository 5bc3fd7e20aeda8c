package io.gleaner.examples.eternity;

import io.gleaner.api.Collector;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Picks the best board of all tasks, of equal boards that of the lowest seed, and writes it as
 * {@code eternity.txt} and {@code eternity.png}. Every score is counted anew; a result that is not
 * true is left out and named in the log.
 */
public final class Best implements Collector {
  private static final System.Logger LOG = System.getLogger(Best.class.getName());

  private static final Comparator<Find> BETTER_FIRST =
      Comparator.comparingInt(Find::score).reversed().thenComparingLong(Find::seed);

  @Override
  public Path collect(List<Part> parts, Path folder) throws IOException {
    List<Find> finds = new ArrayList<>();
    for (Part part : parts) {
      try {
        finds.add(Find.verified(Files.readAllBytes(part.result()), part.parameters()));
      } catch (IllegalArgumentException e) {
        LOG.log(
            System.Logger.Level.WARNING,
            "task {0} is left out: {1}",
            part.taskIndex(),
            e.getMessage());
      }
    }
    Find best =
        finds.stream()
            .min(BETTER_FIRST)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "none of " + parts.size() + " results holds a board; see the log"));
    String report =
        "Best of "
            + finds.size()
            + " boards: "
            + best.score()
            + " of "
            + best.board().puzzle().edges()
            + " edges match.\n"
            + best.toText();
    Files.writeString(folder.resolve("eternity.txt"), report, StandardCharsets.US_ASCII);
    return Files.write(folder.resolve("eternity.png"), BoardPicture.png(best.board()));
  }
}
