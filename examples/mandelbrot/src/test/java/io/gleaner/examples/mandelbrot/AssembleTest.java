package io.gleaner.examples.mandelbrot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.api.Collector.Part;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AssembleTest {
  private static final int PIXELS = 4;

  @TempDir Path folder;

  @Test
  void allTilesMakeThePictureAndNothingIsMissing() throws IOException {
    Path picture = new Assemble().collect(parts(0, Story.TILES), folder);

    assertThat(picture).hasFileName("mandelbrot.png");
    assertThat(folder.resolve("missing-tiles.txt")).doesNotExist();
    assertThatPixelsAreThoseOfTheTiles(ImageIO.read(picture.toFile()), 0, Story.TILES);
  }

  @Test
  void missingTilesAreHatchedAndNamed() throws IOException {
    Path picture = new Assemble().collect(parts(3, 7), folder);

    BufferedImage image = ImageIO.read(picture.toFile());
    assertThat(image.getWidth()).isEqualTo(Story.TILES_PER_SIDE * PIXELS);
    assertThatPixelsAreThoseOfTheTiles(image, 3, 7);
    assertThat(isGrey(image.getRGB(0, 0))).isTrue();
    assertThat(isGrey(image.getRGB(image.getWidth() - 1, image.getHeight() - 1))).isTrue();
    assertThat(folder.resolve("missing-tiles.txt"))
        .content()
        .startsWith("0\n1\n2\n7\n8\n")
        .endsWith("\n255\n");
  }

  @Test
  void aLaterCompletePictureTakesTheListAway() throws IOException {
    new Assemble().collect(parts(0, 1), folder);
    new Assemble().collect(parts(0, Story.TILES), folder);

    assertThat(folder.resolve("missing-tiles.txt")).doesNotExist();
  }

  @Test
  void noTileAtAllIsSaid() {
    assertThatThrownBy(() -> new Assemble().collect(List.of(), folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no tile is complete");
  }

  @Test
  void aResultThatIsNoTileIsRefused() throws IOException {
    Path broken = Files.writeString(folder.resolve("0.ppm"), "P6\nnonsense");

    assertThatThrownBy(
            () ->
                new Assemble()
                    .collect(List.of(new Part(0, Story.cheapTile(0, PIXELS), broken)), folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a PPM picture");
  }

  private List<Part> parts(int from, int to) throws IOException {
    Path results = Files.createDirectories(folder.resolve("results"));
    List<Part> parts = new ArrayList<>();
    for (int tile = from; tile < to; tile++) {
      byte[] ppm = new Tile().run(Story.cheapTile(tile, PIXELS), new Story());
      Path result = Files.write(results.resolve(tile + ".ppm"), ppm);
      parts.add(new Part(tile, Story.cheapTile(tile, PIXELS), result));
    }
    return parts;
  }

  private static void assertThatPixelsAreThoseOfTheTiles(BufferedImage image, int from, int to) {
    for (int tile = from; tile < to; tile++) {
      View view = View.of(Story.cheapTile(tile, PIXELS));
      Raster expected = new Renderer(view).render(tile, fraction -> {});
      for (int i = 0; i < PIXELS * PIXELS; i++) {
        int column = i % PIXELS;
        int row = i / PIXELS;
        assertThat(image.getRGB(view.left(tile) + column, view.top(tile) + row) & 0xffffff)
            .as("tile %d, column %d, row %d", tile, column, row)
            .isEqualTo(expected.colour(column, row));
      }
    }
  }

  private static boolean isGrey(int rgb) {
    return (rgb >> 16 & 0xff) == (rgb & 0xff) && (rgb >> 8 & 0xff) == (rgb & 0xff);
  }
}
