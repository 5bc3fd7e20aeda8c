package io.gleaner.examples.eternity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.api.Collector.Part;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class BestTest {
  @TempDir Path folder;

  @Test
  void theBestBoardIsWrittenAndDrawn() throws IOException {
    Path picture = new Best().collect(List.of(walked(1), solved(2), walked(3)), folder);

    assertThat(picture).hasFileName("eternity.png");
    assertThat(ImageIO.read(picture.toFile()).getWidth()).isGreaterThan(Attempt.SIDE * 20);
    assertThat(folder.resolve("eternity.txt"))
        .content()
        .startsWith("Best of 3 boards: 84 of 84 edges match.\n")
        .contains("seed 2 score 84");
  }

  @Test
  void ofEqualBoardsTheLowestSeedWins() throws IOException {
    new Best().collect(List.of(solved(9), solved(4), solved(6)), folder);

    assertThat(folder.resolve("eternity.txt")).content().contains("seed 4 score 84");
  }

  @Test
  void aScoreThatIsNotTrueIsLeftOut() throws IOException {
    Part walked = walked(1);
    String boast = Files.readString(walked.result()).replaceFirst("score \\d+", "score 84");

    new Best().collect(List.of(part(2, boast.replace("seed 1", "seed 2")), walked), folder);

    assertThat(folder.resolve("eternity.txt"))
        .content()
        .startsWith("Best of 1 boards")
        .contains("seed 1 score");
  }

  @Test
  void nothingButRubbishIsSaid() throws IOException {
    List<Part> rubbish = List.of(part(1, "puzzle"), part(2, "puzzle 5 side 7 seed 2 score 3\n1/x"));

    assertThatThrownBy(() -> new Best().collect(rubbish, folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("none of 2 results holds a board");
  }

  @Test
  void aFindSurvivesItsText() {
    Board board = Puzzle.of(Attempt.PUZZLE, Attempt.SIDE).solution();
    Find find = Find.of(Attempt.seed(7), board);

    assertThat(Find.verified(find.toBytes(), Attempt.seed(7))).isEqualTo(find);
  }

  private Part walked(long seed) throws IOException {
    byte[] result = new Walk().run(Attempt.seed(seed), Attempt.first());
    return part(seed, new String(result, StandardCharsets.US_ASCII));
  }

  private Part solved(long seed) throws IOException {
    Board solution = Puzzle.of(Attempt.PUZZLE, Attempt.SIDE).solution();
    return part(seed, Find.of(Attempt.seed(seed), solution).toText());
  }

  private Part part(long seed, String text) throws IOException {
    Path result = Files.writeString(folder.resolve("result-" + seed + ".txt"), text);
    return new Part((int) seed, Attempt.seed(seed), result);
  }
}
