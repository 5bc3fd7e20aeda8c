package io.gleaner.policy;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One thing that an owner can set: its key in the policy file, how its value is written, its
 * default, and what it means. The table {@link #ALL} is the schema of the file.
 */
public final class Setting<T> {
  public static final Setting<Boolean> WORK =
      new Setting<>("work", Form.truth(), true, "whether the machine works at all");
  public static final Setting<Boolean> DEDICATED =
      new Setting<>(
          "dedicated",
          Form.truth(),
          false,
          "nobody sits at its keyboard: input and load of others are not asked for, and a sensor"
              + " that does not answer is not busy");
  public static final Setting<Duration> INPUT_IDLE =
      new Setting<>(
          "input_idle",
          Form.duration(Duration.ZERO, Duration.ofHours(24)),
          Duration.ofMinutes(15),
          "how long nobody must have touched keyboard, mouse and terminals");
  public static final Setting<BigDecimal> LOAD_ENTER =
      new Setting<>(
          "load_enter",
          Form.decimal("cores such as 0.2", "0.01", "1024"),
          new BigDecimal("0.2"),
          "cores that others may use at most when work begins");
  public static final Setting<BigDecimal> LOAD_LEAVE =
      new Setting<>(
          "load_leave",
          Form.decimal("cores such as 0.4", "0.01", "1024"),
          new BigDecimal("0.4"),
          "cores used by others above which work yields");
  public static final Setting<Integer> MEMORY_ENTER =
      new Setting<>(
          "memory_enter",
          Form.percent("a share of the memory"),
          15,
          "share of the memory that must be available when work begins");
  public static final Setting<Integer> MEMORY_LEAVE =
      new Setting<>(
          "memory_leave",
          Form.percent("a share of the memory"),
          7,
          "share of the memory below which tasks are handed back at once");
  public static final Setting<Integer> STALL_ENTER =
      new Setting<>(
          "stall_enter",
          Form.percent("a share of the time"),
          1,
          "share of the last ten seconds that programs may have waited for memory when work begins");
  public static final Setting<Integer> STALL_LEAVE =
      new Setting<>(
          "stall_leave",
          Form.percent("a share of the time"),
          10,
          "share of the last ten seconds waited for memory above which tasks are handed back at"
              + " once");
  public static final Setting<Boolean> MAINS_ONLY =
      new Setting<>("mains_only", Form.truth(), true, "whether work stops on battery");
  public static final Setting<Integer> BATTERY_ENTER =
      new Setting<>(
          "battery_enter",
          Form.percent("a share of the battery"),
          80,
          "charge on battery from which work may begin, if mains_only is false");
  public static final Setting<Integer> BATTERY_LEAVE =
      new Setting<>(
          "battery_leave",
          Form.percent("a share of the battery"),
          60,
          "charge on battery below which work yields, if mains_only is false");
  public static final Setting<Integer> TEMPERATURE_ENTER =
      new Setting<>(
          "temperature_enter",
          Form.count("degrees Celsius", 20, 120),
          70,
          "hottest sensor below which work may begin, in degrees Celsius");
  public static final Setting<Integer> TEMPERATURE_LEAVE =
      new Setting<>(
          "temperature_leave",
          Form.count("degrees Celsius", 20, 120),
          85,
          "hottest sensor above which work yields, in degrees Celsius");
  public static final Setting<Boolean> ON_METERED =
      new Setting<>(
          "on_metered",
          Form.truth(),
          false,
          "whether work goes on where the network costs by the byte");
  public static final Setting<List<String>> PAUSE_FOR =
      new Setting<>(
          "pause_for",
          Form.programs(),
          List.of(),
          "programs during which there is no work, named as 'ps -o comm' shows them");
  public static final Setting<Long> DISK_FREE =
      new Setting<>(
          "disk_free", Form.size(), 1L << 30, "what must stay free on the disk of the data folder");
  public static final Setting<Duration> ENTER_AFTER =
      new Setting<>(
          "enter_after",
          Form.duration(Duration.ofSeconds(5), Duration.ofHours(24)),
          Duration.ofMinutes(1),
          "how long all conditions must hold without a break before work begins");
  public static final Setting<Integer> ENTRIES_PER_MINUTE =
      new Setting<>(
          "entries_per_minute",
          Form.count("a number", 1, 12),
          2,
          "how often work may begin or go on again in a minute, whatever the sensors say");
  public static final Setting<Duration> LEAVE_AFTER =
      new Setting<>(
          "leave_after",
          Form.duration(Duration.ZERO, Duration.ofMinutes(1)),
          Duration.ZERO,
          "how long load or heat must stay too high before work yields; all else yields at once");
  public static final Setting<Duration> GRACE =
      new Setting<>(
          "grace",
          Form.duration(Duration.ZERO, Duration.ofMinutes(5)),
          Duration.ofMinutes(5),
          "how long a suspended task waits for the owner to leave before it goes back");

  /** The schema, in the order in which it is shown. */
  public static final List<Setting<?>> ALL =
      List.of(
          WORK,
          DEDICATED,
          INPUT_IDLE,
          LOAD_ENTER,
          LOAD_LEAVE,
          MEMORY_ENTER,
          MEMORY_LEAVE,
          STALL_ENTER,
          STALL_LEAVE,
          MAINS_ONLY,
          BATTERY_ENTER,
          BATTERY_LEAVE,
          TEMPERATURE_ENTER,
          TEMPERATURE_LEAVE,
          ON_METERED,
          PAUSE_FOR,
          DISK_FREE,
          ENTER_AFTER,
          ENTRIES_PER_MINUTE,
          LEAVE_AFTER,
          GRACE);

  private final String key;
  private final Form<T> form;
  private final T standard;
  private final String meaning;

  private Setting(String key, Form<T> form, T standard, String meaning) {
    this.key = key;
    this.form = form;
    this.standard = standard;
    this.meaning = meaning;
  }

  static Optional<Setting<?>> named(String key) {
    return ALL.stream().filter(setting -> setting.key.equals(key)).findFirst();
  }

  /** Its key in the file. */
  public String key() {
    return key;
  }

  public String meaning() {
    return meaning;
  }

  /** What holds where nothing is said. */
  public T standard() {
    return standard;
  }

  /** What a value looks like and between which bounds it lies. */
  public String expected() {
    return form.expected();
  }

  Optional<T> read(String text) {
    return form.reading().apply(text.strip());
  }

  String write(T value) {
    return form.writing().apply(value);
  }

  @Override
  public String toString() {
    return key;
  }
}
