package io.gleaner.api;

import io.gleaner.api.GleanerException.Code;
import io.gleaner.api.rest.RestClient;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * Describes a bag of tasks: one task for each point of the product of its parameters, the last one
 * varying fastest. What is not said has the default of docs/bag-format.md, which has the meaning of
 * every key. Not safe for sharing between threads.
 */
public final class BagBuilder {
  private static final String JAR = "program.jar";
  private static final int CREDIT_DIGITS = 6;

  private final Gleaner market;
  private final Bundle bundle;
  private final Map<String, Object> description = new LinkedHashMap<>();
  private final Map<String, Object> parameters = new LinkedHashMap<>();
  private final Map<String, Object> limits = new LinkedHashMap<>();
  private final Map<String, Object> priceLimit = new LinkedHashMap<>();

  /** What goes up beside the bundle, by the name in the description: a path or bytes. */
  private final Map<String, Object> files = new TreeMap<>();

  private String key = UUID.randomUUID().toString();

  BagBuilder(Gleaner market, String name, Bundle bundle, String entryPoint) {
    this.market = market;
    this.bundle = bundle;
    description.put("name", name);
    description.put("kind", "java");
    description.put("bundle", JAR);
    description.put("entry_point", entryPoint);
  }

  /** What people call the bag. */
  public BagBuilder name(String name) {
    description.put("name", name);
    return this;
  }

  /** A parameter that is the same for every task. */
  public BagBuilder value(String parameter, Object value) {
    return parameter(parameter, value.toString());
  }

  /** A parameter that runs from a whole number to another, both included. */
  public BagBuilder range(String parameter, long from, long to) {
    return parameter(parameter, rangeOf(from, to, 1));
  }

  /** A parameter that runs from a decimal to another by steps, both included. */
  public BagBuilder range(String parameter, BigDecimal from, BigDecimal to, BigDecimal step) {
    return parameter(parameter, rangeOf(from, to, step));
  }

  private static Map<String, Object> rangeOf(Number from, Number to, Number step) {
    return Map.of("range", new TreeMap<>(Map.of("from", from, "to", to, "step", step)));
  }

  /** A parameter that has one value after the other. */
  public BagBuilder list(String parameter, Collection<?> values) {
    return parameter(parameter, Map.of("list", values.stream().map(Object::toString).toList()));
  }

  /** A parameter that is one file after the other; tasks read it through {@link TaskContext}. */
  public BagBuilder files(String parameter, List<Path> paths) {
    for (int i = 0; i < paths.size(); i++) {
      files.put("%s/%06d-%s".formatted(parameter, i, paths.get(i).getFileName()), paths.get(i));
    }
    return parameter(parameter, Map.of("files", parameter + "/*"));
  }

  /** Bytes that every task reads as a file through {@link TaskContext#input}. */
  public BagBuilder input(String parameter, byte[] content) {
    files.put(parameter, content);
    return parameter(parameter, Map.of("files", parameter));
  }

  /**
   * Points instead of a product: one task for each map, all with the same names. At most 100 names
   * and 64 MB.
   */
  public BagBuilder points(List<? extends Map<String, ?>> points) {
    TreeSet<String> names = new TreeSet<>(points.isEmpty() ? List.of() : points.get(0).keySet());
    for (Map<String, ?> point : points) {
      if (!point.keySet().equals(names)) {
        throw new GleanerException(
            Code.INVALID, "a point has the names " + point.keySet() + ", the first one " + names);
      }
    }
    String csv =
        Stream.concat(
                Stream.of(names.stream()),
                points.stream().map(point -> names.stream().map(n -> point.get(n).toString())))
            .map(row -> row.map(BagBuilder::quoted).collect(Collectors.joining(",")))
            .collect(Collectors.joining("\r\n"));
    files.put("points.csv", csv.getBytes(StandardCharsets.UTF_8));
    return parameter("_", Map.of("csv", "points.csv"));
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"") + '"';
  }

  private BagBuilder parameter(String name, Object values) {
    if (parameters.putIfAbsent(name, values) != null) {
      throw new GleanerException(Code.INVALID, "the parameter '" + name + "' was set before");
    }
    return this;
  }

  /** Expected work of one task, in units: seconds of one reference core. */
  public BagBuilder unitsPerTask(double units) {
    description.put("estimate", Map.of("units_per_task", decimal(units)));
    return this;
  }

  /** Work after which a task is stopped, in units. */
  public BagBuilder mostUnitsPerTask(double units) {
    limits.put("units_per_task", decimal(units));
    return this;
  }

  /** Running time after which a task is stopped. */
  public BagBuilder timeLimit(Duration time) {
    limits.put("time", time.toMillis() + "ms");
    return this;
  }

  /** Longest output of one task in bytes. */
  public BagBuilder outputLimit(long bytes) {
    limits.put("output", bytes + "B");
    return this;
  }

  /** Memory of one task. */
  public BagBuilder memoryMegabytes(int megabytes) {
    description.put("requirements", Map.of("memory", megabytes + "MB"));
    return this;
  }

  /** Credits that are set aside at submission; what is not spent comes back at the end. */
  public BagBuilder budget(double credits) {
    description.put("budget", decimal(credits));
    return this;
  }

  /** The most credits that are paid for one unit of work. */
  public BagBuilder mostPerUnit(double credits) {
    priceLimit.put("per_unit", decimal(credits));
    return this;
  }

  /** The most credits that are paid for one task. */
  public BagBuilder mostPerTask(double credits) {
    priceLimit.put("per_task", decimal(credits));
    return this;
  }

  /** When it has to be done, counted from the submission. */
  public BagBuilder deadline(Duration time) {
    description.put("deadline", time.toMillis() + "ms");
    return this;
  }

  /** Faults of a task after which it counts as failed. */
  public BagBuilder maxAttempts(int attempts) {
    description.put("max_attempts", attempts);
    return this;
  }

  /** The bag ends as soon as one task has failed for good. */
  public BagBuilder stopOnFailure() {
    description.put("on_failure", "stop");
    return this;
  }

  /** Equal results that a task needs. */
  public BagBuilder replication(int equalResults) {
    description.put("replication", equalResults);
    return this;
  }

  /**
   * The key that makes submitting safe to repeat: the same key with the same bag gives the same bag
   * again, even from another program. A random one unless it is set.
   */
  public BagBuilder key(String idempotencyKey) {
    key = idempotencyKey;
    return this;
  }

  /**
   * Uploads what the bag needs and submits it; the budget moves to escrow. Doing it again, also
   * after a failure, makes no second bag.
   *
   * @throws GleanerException REFUSED with every error, NOT_ENOUGH_CREDITS, UNREACHABLE and others
   */
  public BagOfTasks submit() {
    try {
      return submitOnce();
    } catch (GleanerException e) {
      if (e.code() != Code.MISSING_FILE) {
        throw e;
      }
      // The node has dropped what it had.
      market.forgetStored();
      return submitOnce();
    }
  }

  private BagOfTasks submitOnce() {
    RestClient rest = market.rest();
    Map<String, String> digests = new TreeMap<>();
    digests.put(JAR, market.store(bundle));
    files.forEach(
        (name, content) ->
            digests.put(
                name,
                content instanceof Path path ? rest.upload(path) : rest.upload((byte[]) content)));
    return market.bag(rest.submit(text(), digests, key).path("id").asString(""));
  }

  /** The description; JSON is YAML. The same bag has the same text in every run. */
  String text() {
    Map<String, Object> whole = new LinkedHashMap<>(description);
    putUnlessEmpty(whole, "parameters", parameters);
    putUnlessEmpty(whole, "limits", limits);
    putUnlessEmpty(whole, "price_limit", priceLimit);
    return JsonMapper.shared().writeValueAsString(whole);
  }

  private static void putUnlessEmpty(
      Map<String, Object> whole, String name, Map<String, Object> values) {
    if (!values.isEmpty()) {
      whole.put(name, values);
    }
  }

  private static BigDecimal decimal(double value) {
    if (!Double.isFinite(value)) {
      throw new GleanerException(Code.INVALID, value + " is no amount");
    }
    BigDecimal exact = BigDecimal.valueOf(value).setScale(CREDIT_DIGITS, RoundingMode.HALF_UP);
    return new BigDecimal(exact.stripTrailingZeros().toPlainString());
  }
}
