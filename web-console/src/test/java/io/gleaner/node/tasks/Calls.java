package io.gleaner.node.tasks;

import io.gleaner.api.ComputationalSuperTask;
import io.gleaner.api.ComputationalTask;
import io.gleaner.api.MarketExecutor;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/** Calls that the tests make on launchers. */
public final class Calls {
  private Calls() {}

  /** A value of this package. */
  public record Point(int x, int y) implements Serializable {
    public Point turned() {
      return new Point(-y, x);
    }
  }

  public static ComputationalTask<Long> square(long number) {
    return () -> number * number;
  }

  public static ComputationalTask<Point> turn(Point point) {
    return point::turned;
  }

  /** The same without saying what it returns. */
  public static ComputationalTask<Object> turnUntold(Point point) {
    return () -> point.turned();
  }

  public static ComputationalTask<Long> fail(String message) {
    return () -> {
      throw new IllegalStateException(message);
    };
  }

  public static ComputationalTask<Object> unserialisable() {
    return Object::new;
  }

  public static ComputationalTask<byte[]> bytes(int length) {
    return () -> new byte[length];
  }

  /** Where it runs: in a child that knows nothing of the node. */
  public static ComputationalTask<String> where() {
    return () -> System.getProperty("java.io.tmpdir");
  }

  public static ComputationalTask<String> sleep(long millis) {
    return () -> {
      Thread.sleep(millis);
      return "slept";
    };
  }

  /** Work without a result. */
  public static Runnable print() {
    return (MarketExecutor.ComputationalRunnable) () -> System.out.println("printed there");
  }

  /** Work without a result, from here: this class travels and not that of the test. */
  public static Future<?> printWith(MarketExecutor executor) {
    return executor.submit(() -> System.out.println("printed there"));
  }

  /** The sum of the squares from 1 on; divides the range. */
  public static final class SumOfSquares implements ComputationalSuperTask<Long, Long> {
    private final long last;
    private final List<Integer> collected = new ArrayList<>();
    private long sum;

    public SumOfSquares(long last) {
      this.last = last;
    }

    @Override
    public List<ComputationalTask<Long>> divide(int parts) {
      List<ComputationalTask<Long>> divided = new ArrayList<>();
      for (int i = 0; i < parts; i++) {
        long from = last * i / parts + 1;
        long to = last * (i + 1) / parts;
        divided.add(() -> LongStream.rangeClosed(from, to).map(n -> n * n).sum());
      }
      return divided;
    }

    @Override
    public void collect(Long result, int part) {
      collected.add(part);
      sum += result;
    }

    @Override
    public Long result() {
      return sum;
    }

    public List<Integer> collected() {
      return collected;
    }
  }
}
