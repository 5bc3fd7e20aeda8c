package io.gleaner.sandbox.programs;

import io.gleaner.api.Parameters;
import io.gleaner.api.Task;
import io.gleaner.api.TaskContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The programs. */
public final class Programs {
  private Programs() {}

  /** Returns its own number, after a word to the log. */
  public static final class Echo implements Task {
    @Override
    public byte[] run(Parameters parameters, TaskContext context) {
      System.out.println("echo " + context.taskIndex());
      context.progress(0.5);
      return (parameters.text("word") + context.taskIndex()).getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Waits without using the processor. */
  public static final class Sleepy implements Task {
    @Override
    public byte[] run(Parameters parameters, TaskContext context) {
      long until = System.nanoTime() + parameters.longInteger("millis") * 1_000_000;
      while (System.nanoTime() < until) {
        LockSupport.parkNanos(until - System.nanoTime());
      }
      return new byte[] {1};
    }
  }

  /** A tight loop over an int, of the kind whose safepoints compilers leave out. */
  public static final class Spin implements Task {
    private static volatile long sink;

    @Override
    public byte[] run(Parameters parameters, TaskContext context) {
      long sum = 1;
      while (sum != 0) {
        for (int i = 0; i < Integer.MAX_VALUE; i++) {
          sum = sum * 31 + i | 1;
        }
        sink = sum;
      }
      return new byte[] {(byte) sink};
    }
  }

  /** Fills the heap to the brim and stays there. */
  public static final class Glutton implements Task {
    @Override
    public byte[] run(Parameters parameters, TaskContext context) {
      List<byte[]> heap = new ArrayList<>();
      while (heap.size() < Integer.MAX_VALUE) {
        heap.add(new byte[1 << 20]);
      }
      return heap.get(0);
    }
  }

  /** Keeps the collector busy just below the limit. */
  public static final class Thrash implements Task {
    @Override
    public byte[] run(Parameters parameters, TaskContext context) {
      int megabytes = (int) (Runtime.getRuntime().maxMemory() >> 20) * 6 / 10;
      List<byte[]> heap = new ArrayList<>();
      for (int i = 0; i < megabytes; i++) {
        heap.add(new byte[1 << 20]);
      }
      for (int i = 0; heap.size() == megabytes; i = (i + 1) % megabytes) {
        heap.set(i, new byte[1 << 20]);
      }
      return heap.get(0);
    }
  }

  /** Prints without end. */
  public static final class Chatter implements Task {
    @Override
    public byte[] run(Parameters parameters, TaskContext context) {
      while (true) {
        System.out.println("the quick brown fox jumps over the lazy dog");
      }
    }
  }

  /** Writes rubbish into the very pipe of the protocol. */
  public static final class Saboteur implements Task {
    @Override
    public byte[] run(Parameters parameters, TaskContext context) throws IOException {
      try (var out = new java.io.FileOutputStream(java.io.FileDescriptor.out)) {
        out.write("you shall not parse".repeat(100).getBytes(StandardCharsets.UTF_8));
        LockSupport.parkNanos(5_000_000_000L);
      }
      return new byte[0];
    }
  }

  /** Ends the process. */
  public static final class Exit implements Task {
    @Override
    public byte[] run(Parameters parameters, TaskContext context) {
      System.out.println("goodbye");
      System.exit(0);
      return new byte[0];
    }
  }

  /** Throws. */
  public static final class Thrower implements Task {
    @Override
    public byte[] run(Parameters parameters, TaskContext context) {
      System.err.println("about to fail");
      throw new IllegalStateException("no luck with " + parameters.text("word"));
    }
  }

  /** Returns more than it may. */
  public static final class Verbose implements Task {
    @Override
    public byte[] run(Parameters parameters, TaskContext context) {
      return new byte[parameters.integer("bytes")];
    }
  }

  /** Fills the disk. */
  public static final class Hoarder implements Task {
    @Override
    public byte[] run(Parameters parameters, TaskContext context) throws IOException {
      Path folder = Path.of(System.getProperty("java.io.tmpdir"));
      for (int i = 0; ; i++) {
        Files.write(folder.resolve("hoard-" + i), new byte[1 << 20]);
        LockSupport.parkNanos(10_000_000);
      }
    }
  }

  /** Goes on from its checkpoint. */
  public static final class Stepper implements Task {
    @Override
    public byte[] run(Parameters parameters, TaskContext context) {
      int from = context.lastCheckpoint().map(state -> (int) state[0]).orElse(0);
      context.checkpoint(new byte[] {(byte) (from + 1)});
      return new byte[] {(byte) from};
    }
  }

  /** Reads a file and leaves another one behind. */
  public static final class Reader implements Task {
    @Override
    public byte[] run(Parameters parameters, TaskContext context) throws IOException {
      Files.writeString(Path.of(System.getProperty("java.io.tmpdir"), "left-behind"), "x");
      return Files.readAllBytes(context.input("file"));
    }
  }

  /** Looks around for what it must not see. */
  public static final class Snoop implements Task {
    @Override
    public byte[] run(Parameters parameters, TaskContext context) {
      String seen = "";
      for (String name :
          List.of("io.gleaner.sandbox.child.ChildMain", "io.gleaner.tuple.TaskEntry")) {
        try {
          Class.forName(name, false, getClass().getClassLoader());
          seen += name + " ";
        } catch (ClassNotFoundException e) {
          seen += "";
        }
      }
      seen += System.getenv().keySet();
      return seen.getBytes(StandardCharsets.UTF_8);
    }
  }
}
