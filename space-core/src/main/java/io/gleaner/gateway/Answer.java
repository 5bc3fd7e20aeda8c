package io.gleaner.gateway;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The answer to an operation. Who joins it, or what was made of it, reads the connection meanwhile,
 * so that no other thread has to be woken to read, and none to tell. {@code get} can be interrupted
 * and therefore leaves reading to others.
 */
final class Answer<T> extends CompletableFuture<T> {
  private final Consumer<CompletableFuture<?>> reader;
  private final CompletableFuture<?> source;

  /**
   * An answer that has not come.
   *
   * @param reader reads until the answer is there, or returns at once
   */
  Answer(Consumer<CompletableFuture<?>> reader) {
    this.reader = reader;
    this.source = this;
  }

  private Answer(Consumer<CompletableFuture<?>> reader, CompletableFuture<?> source) {
    this.reader = reader;
    this.source = source;
  }

  @Override
  public T join() {
    if (!source.isDone()) {
      reader.accept(source);
    }
    return super.join();
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new Answer<>(reader, source);
  }
}
