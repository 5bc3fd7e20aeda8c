package io.gleaner.idle;

import io.gleaner.leasing.Ticker;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * All sensors of this machine, each read as often as it is worth and never waited for longer than
 * its limit; one thread reads.
 */
public final class Sensors implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMillis(900);

  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "sensor");
            thread.setDaemon(true);
            return thread;
          });
  private final Paced<Duration> input;
  private final Paced<Others> others;
  private final Paced<Power> power;
  private final Paced<Memory> memory;
  private final Paced<Double> temperature;
  private final Paced<Long> disk;
  private final Paced<Boolean> network;
  private final Ticker ticker;

  /**
   * The probes themselves, which may hang or fail.
   *
   * @param input since when nobody used the machine by hand
   * @param others who else runs, and what they use
   * @param network whether it costs by the byte
   */
  public record Probes(
      Sensor<Duration> input,
      Sensor<Others> others,
      Sensor<Power> power,
      Sensor<Memory> memory,
      Sensor<Double> temperature,
      Sensor<Long> disk,
      Sensor<Boolean> network) {

    /** Those of a machine with its kernel's files under that root. */
    static Probes of(SystemRoot root, Buses buses, Path dataFolder, InstantSource clock) {
      return new Probes(
          new InputSensor(
              new DesktopSensor(buses, root, clock), new TerminalSensor(root, clock), root),
          new LoadSensor(root, ProcessHandle.current().pid()),
          new PowerSensor(root),
          new MemorySensor(root),
          new TemperatureSensor(root),
          new DiskSensor(dataFolder),
          new NetworkSensor(buses));
    }
  }

  /** A sensor that is asked again only after a while. */
  private static final class Paced<T> {
    private final Sensor<T> sensor;
    private Reading<T> last;
    private long lastNanos;

    Paced(Sensor<T> sensor) {
      this.sensor = sensor;
    }

    Reading<T> read(long nowNanos, Duration pace) {
      if (last == null || nowNanos - lastNanos >= pace.toNanos()) {
        last = sensor.read();
        lastNanos = nowNanos;
      }
      return last;
    }
  }

  /** Those of this machine. */
  public static Sensors ofMachine(Path dataFolder, InstantSource clock, Ticker ticker) {
    return new Sensors(
        Probes.of(SystemRoot.real(), Buses.ofProcess(SystemRoot.real()), dataFolder, clock),
        ticker);
  }

  /** With probes of one's own. */
  public Sensors(Probes probes, Ticker ticker) {
    this.input = paced("the input sensor", probes.input());
    this.others = paced("the load sensor", probes.others());
    this.power = paced("the power sensor", probes.power());
    this.memory = paced("the memory sensor", probes.memory());
    this.temperature = paced("the temperature sensor", probes.temperature());
    this.disk = paced("the disk sensor", probes.disk());
    this.network = paced("the network sensor", probes.network());
    this.ticker = ticker;
  }

  private <T> Paced<T> paced(String name, Sensor<T> probe) {
    return new Paced<>(new TimedSensor<>(name, probe, LIMIT, threads));
  }

  /**
   * What the sensors say.
   *
   * @param watchful whether tasks run, so that the owner's return must be seen within a moment
   */
  public Observations observe(boolean watchful) {
    long now = ticker.nanos();
    Duration soon = watchful ? Duration.ofSeconds(2) : Duration.ofSeconds(10);
    return new Observations(
        input.read(now, watchful ? Duration.ofMillis(250) : Duration.ofSeconds(5)),
        others.read(now, watchful ? Duration.ofSeconds(2) : Duration.ofSeconds(5)),
        power.read(now, soon),
        memory.read(now, soon),
        temperature.read(now, soon),
        disk.read(now, Duration.ofSeconds(10)),
        network.read(now, Duration.ofSeconds(10)));
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
