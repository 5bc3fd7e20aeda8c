package io.gleaner.sandbox.child;

import io.gleaner.api.TaskContext;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The context of one task: what it says goes to the launcher as messages. */
final class ChildContext implements TaskContext {
  private final int taskIndex;
  private final int attempt;
  private final Map<String, String> inputs;
  private final List<byte[]> checkpoint;
  private final int checkpointLimitBytes;
  private final Outbound out;

  ChildContext(Run run, int checkpointLimitBytes, Outbound out) {
    this.taskIndex = run.taskIndex();
    this.attempt = run.attempt();
    this.inputs = run.inputs();
    this.checkpoint = run.checkpoint();
    this.checkpointLimitBytes = checkpointLimitBytes;
    this.out = out;
  }

  @Override
  public int taskIndex() {
    return taskIndex;
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public Path input(String parameter) {
    String path = inputs.get(parameter);
    if (path == null) {
      throw new IllegalArgumentException(
          "parameter '" + parameter + "' is no file; this task has the files " + inputs.keySet());
    }
    return Path.of(path);
  }

  @Override
  public void progress(double fraction) {
    out.send(Frame.Type.PROGRESS, Math.max(0.0, Math.min(1.0, fraction)));
  }

  @Override
  public void checkpoint(byte[] state) {
    if (state.length > checkpointLimitBytes) {
      throw new IllegalArgumentException(
          "the checkpoint has "
              + state.length
              + " bytes, at most "
              + checkpointLimitBytes
              + " are kept");
    }
    out.send(new Frame(Frame.Type.CHECKPOINT, state.clone()));
  }

  @Override
  public Optional<byte[]> lastCheckpoint() {
    return checkpoint.stream().findFirst().map(byte[]::clone);
  }
}
