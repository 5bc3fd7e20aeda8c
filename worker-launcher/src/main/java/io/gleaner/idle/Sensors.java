package io.gleaner.idle;

import io.gleaner.leasing.Ticker;
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
  private final Paced<Double> load;
  private final Paced<PowerSource> power;
  private final Ticker ticker;

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

  public Sensors(SystemRoot root, InstantSource clock, Ticker ticker) {
    this(
        new InputSensor(new DesktopSensor(clock), new TerminalSensor(root, clock), root),
        new LoadSensor(root, ProcessHandle.current().pid()),
        new PowerSensor(root),
        ticker);
  }

  /** With probes of one's own. */
  public Sensors(
      Sensor<Duration> input, Sensor<Double> load, Sensor<PowerSource> power, Ticker ticker) {
    this.input = new Paced<>(new TimedSensor<>("the input sensor", input, LIMIT, threads));
    this.load = new Paced<>(new TimedSensor<>("the load sensor", load, LIMIT, threads));
    this.power = new Paced<>(new TimedSensor<>("the power sensor", power, LIMIT, threads));
    this.ticker = ticker;
  }

  /**
   * What the sensors say.
   *
   * @param watchful whether tasks run, so that the owner's return must be seen within a moment
   */
  public Observations observe(boolean watchful) {
    long now = ticker.nanos();
    return new Observations(
        input.read(now, watchful ? Duration.ofMillis(250) : Duration.ofSeconds(5)),
        load.read(now, watchful ? Duration.ofSeconds(2) : Duration.ofSeconds(5)),
        power.read(now, watchful ? Duration.ofSeconds(2) : Duration.ofSeconds(10)));
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
