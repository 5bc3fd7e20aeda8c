package io.gleaner.space;

import java.rmi.RemoteException;

/**
 * Brings what is made of several steps to its end in spite of interrupts: only the step that was
 * interrupted is taken again, never what came before it. The thread has its flag back when it is
 * closed, and not before. For one thread.
 */
final class Patience implements AutoCloseable {
  private boolean interrupted = Thread.interrupted();

  /** A step that has done nothing if it is interrupted. */
  interface Step<T> {
    T take() throws RemoteException, InterruptedException;
  }

  <T> T with(Step<T> step) throws RemoteException {
    while (true) {
      try {
        return step.take();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }

  @Override
  public void close() {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
