package io.gleaner.examples.mandelbrot;

import io.gleaner.api.Parameters;
import io.gleaner.api.Task;
import io.gleaner.api.TaskContext;

/**
 * Renders one tile of the picture as PPM. Parameters: those of {@link View}, and {@code tile}, its
 * number from 0, row by row.
 */
public final class Tile implements Task {
  @Override
  public byte[] run(Parameters parameters, TaskContext context) {
    View view = View.of(parameters);
    return new Renderer(view).render(view.tile(parameters), context::progress).toPpm();
  }
}
