package io.gleaner.sandbox;

import io.gleaner.leasing.Ticker;
import java.nio.file.Path;
import java.util.Map;

/** A launcher in miniature for {@link OrphanTest}: starts one child, says its number, waits. */
public final class Orphanage {
  private Orphanage() {}

  public static void main(String[] args) throws Exception {
    Path jar = Path.of(args[0]);
    JavaSandbox sandbox = new JavaSandbox(Path.of(args[1]), new Spawner(), Ticker.system());
    Child child =
        sandbox.start(new Program(jar, Bundles.digest(jar), args[2], 48), TaskLimits.standard());
    System.out.println(child.pid());
    child.run(TaskCall.of(1, Map.of("millis", "60000")), TaskEvents.NONE);
  }
}
