package io.gleaner.sandbox;

/** What a task says while it runs; called on the thread that runs it, must not block for long. */
public interface TaskEvents {

  /** Nobody listens. */
  TaskEvents NONE =
      new TaskEvents() {
        @Override
        public void progressed(double fraction) {}

        @Override
        public void checkpointed(byte[] state) {}
      };

  /** It is so far, 0 to 1. */
  void progressed(double fraction);

  /** It saved its state. */
  void checkpointed(byte[] state);
}
