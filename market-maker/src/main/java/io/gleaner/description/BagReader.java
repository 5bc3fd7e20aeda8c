package io.gleaner.description;

import io.gleaner.description.BagDescription.Deadline;
import io.gleaner.description.BagDescription.Event;
import io.gleaner.description.BagDescription.Limits;
import io.gleaner.description.BagDescription.Notice;
import io.gleaner.description.BagDescription.Per;
import io.gleaner.description.BagDescription.PriceLimit;
import io.gleaner.tuple.TaskKind;
import io.gleaner.wording.Durations;
import io.gleaner.wording.Sizes;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Turns a tree into a description and checks what a schema cannot say. A field that already has an
 * error is read as its default, so that all errors are found in one pass. Not for sharing between
 * threads.
 */
final class BagReader {
  private static final long MEGABYTE = 1024L * 1024;
  private static final long TERABYTE = MEGABYTE * MEGABYTE;
  private static final Duration LONGEST = Duration.ofDays(30);
  private static final Duration LATEST_DEADLINE = Duration.ofDays(3650);

  private final YamlTree tree;
  private final Problems problems;

  BagReader(YamlTree tree, Problems problems) {
    this.tree = tree;
    this.problems = problems;
  }

  BagDescription read() {
    long estimate = units(FieldPath.of("estimate", "units_per_task"), Micros.PER_ONE);
    Optional<PriceLimit> priceLimit = priceLimit();
    long budget = credits(FieldPath.of("budget")).orElse(0L);
    if (priceLimit.isPresent() && tree.node(FieldPath.of("budget")).isMissingNode()) {
      refuse(
          FieldPath.of("price_limit"),
          "there is a price limit but no budget; add the most that the whole bag may cost, for"
              + " example budget: 50");
    }
    return new BagDescription(
        text(FieldPath.of("name")).orElse(""),
        TaskKind.valueOf(
            text(FieldPath.of("kind"), List.of("java", "wasm", "command"))
                .orElse("java")
                .toUpperCase(Locale.ROOT)),
        fileName(FieldPath.of("bundle")).orElse(""),
        text(FieldPath.of("entry_point")).orElse(""),
        text(FieldPath.of("collector")),
        new ParameterReader(tree, problems).read(),
        (int)
            (size(FieldPath.of("requirements", "memory"), 256 * MEGABYTE, 16 * MEGABYTE, TERABYTE)
                / MEGABYTE),
        estimate,
        limits(estimate),
        integer(FieldPath.of("max_attempts"), 3),
        text(FieldPath.of("on_failure")).filter("stop"::equals).isPresent(),
        budget,
        priceLimit,
        deadline(),
        integer(FieldPath.of("replication"), 1),
        runOn(),
        notification());
  }

  private Limits limits(long estimateMicroUnits) {
    FieldPath units = FieldPath.of("limits", "units_per_task");
    long microUnits = units(units, 4 * estimateMicroUnits);
    if (microUnits < estimateMicroUnits) {
      refuse(
          units,
          SchemaCheck.found(tree, units)
              + " is less than the estimate of "
              + Micros.format(estimateMicroUnits)
              + " units; raise the limit or lower estimate.units_per_task");
    }
    return new Limits(
        microUnits,
        duration(FieldPath.of("limits", "time"), Duration.ofHours(1)).toMillis(),
        size(FieldPath.of("limits", "disk"), 1024 * MEGABYTE, 0, TERABYTE),
        size(FieldPath.of("limits", "output"), 16 * MEGABYTE, 1, 1024 * MEGABYTE));
  }

  private Optional<PriceLimit> priceLimit() {
    FieldPath field = FieldPath.of("price_limit");
    Optional<PriceLimit> perUnit =
        credits(field.then("per_unit")).map(micros -> new PriceLimit(Per.UNIT, micros));
    return perUnit.isPresent()
        ? perUnit
        : credits(field.then("per_task")).map(micros -> new PriceLimit(Per.TASK, micros));
  }

  private Optional<Deadline> deadline() {
    FieldPath field = FieldPath.of("deadline");
    Optional<String> written = text(field);
    if (written.isEmpty()) {
      return Optional.empty();
    }
    Optional<Duration> after = Durations.parse(written.get());
    if (after.isPresent()
        && after.get().compareTo(Duration.ZERO) > 0
        && after.get().compareTo(LATEST_DEADLINE) <= 0) {
      return Optional.of(new Deadline(Optional.empty(), after));
    }
    try {
      Instant at = OffsetDateTime.parse(written.get().strip()).toInstant();
      return Optional.of(new Deadline(Optional.of(at), Optional.empty()));
    } catch (DateTimeParseException e) {
      refuse(
          field,
          SchemaCheck.found(tree, field)
              + " is not a duration above 0 or an instant; write for example 2h, or"
              + " 2030-01-31T18:00:00Z with a time zone");
      return Optional.empty();
    }
  }

  private List<String> runOn() {
    List<String> all = new ArrayList<>();
    for (String scope : List.of("site", "owner", "label")) {
      for (String name : texts(FieldPath.of("run_on", scope + "s"))) {
        all.add(scope + ":" + name);
      }
    }
    return all;
  }

  private Optional<Notice> notification() {
    FieldPath field = FieldPath.of("notify");
    if (!tree.node(field).isObject()) {
      return Optional.empty();
    }
    Optional<String> mail = text(field.then("mail"));
    Optional<URI> webhook = text(field.then("webhook")).flatMap(written -> address(field, written));
    if (mail.isEmpty()
        && tree.node(field.then("webhook")).isMissingNode()
        && !problems.has(field.then("mail"))) {
      refuse(field, "nobody is named; add mail: me@example.org or webhook: https://...");
    }
    Set<Event> at = EnumSet.noneOf(Event.class);
    for (String event : texts(field.then("at"))) {
      if (List.of("done", "failed", "budget_80").contains(event)) {
        at.add(Event.valueOf(event.toUpperCase(Locale.ROOT)));
      }
    }
    return Optional.of(
        new Notice(mail, webhook, at.isEmpty() ? Set.of(Event.DONE, Event.FAILED) : at));
  }

  private Optional<URI> address(FieldPath notify, String written) {
    try {
      URI address = new URI(written);
      if (address.getHost() != null && address.getUserInfo() == null) {
        return Optional.of(address);
      }
    } catch (java.net.URISyntaxException e) {
      // Said below, in the same words as for an address without a host.
    }
    refuse(
        notify.then("webhook"),
        "it is not an address with a host and without a password; write for example"
            + " https://example.org/hooks/gleaner");
    return Optional.empty();
  }

  private Optional<String> fileName(FieldPath field) {
    Optional<String> name = text(field);
    name.flatMap(FileNames::problemOf).ifPresent(problem -> refuse(field, problem));
    return name;
  }

  private long units(FieldPath field, long unlessWritten) {
    return text(field).map(written -> micros(field, written)).orElse(unlessWritten);
  }

  private Optional<Long> credits(FieldPath field) {
    return text(field).map(written -> micros(field, written));
  }

  private long micros(FieldPath field, String written) {
    return Micros.parse(written)
        .orElseGet(
            () -> {
              refuse(field, SchemaCheck.found(tree, field) + " is not " + expected(field));
              return 0L;
            });
  }

  private long size(FieldPath field, long unlessWritten, long least, long most) {
    Optional<String> written = text(field);
    if (written.isEmpty()) {
      return unlessWritten;
    }
    return Sizes.parse(written.get())
        .filter(bytes -> bytes >= least && bytes <= most)
        .orElseGet(
            () -> {
              refuse(field, SchemaCheck.found(tree, field) + " is not " + expected(field));
              return unlessWritten;
            });
  }

  private Duration duration(FieldPath field, Duration unlessWritten) {
    Optional<String> written = text(field);
    if (written.isEmpty()) {
      return unlessWritten;
    }
    return Durations.parse(written.get())
        .filter(time -> time.toSeconds() >= 1 && time.compareTo(LONGEST) <= 0)
        .orElseGet(
            () -> {
              refuse(field, SchemaCheck.found(tree, field) + " is not " + expected(field));
              return unlessWritten;
            });
  }

  private int integer(FieldPath field, int unlessWritten) {
    return tree.node(field).isNumber() && !problems.has(field)
        ? tree.node(field).decimalValue().intValueExact()
        : unlessWritten;
  }

  private Optional<String> text(FieldPath field, List<String> allowed) {
    return text(field).filter(allowed::contains);
  }

  private Optional<String> text(FieldPath field) {
    return problems.has(field) || tree.node(field).isNull() ? Optional.empty() : tree.text(field);
  }

  private List<String> texts(FieldPath list) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < tree.node(list).size(); i++) {
      text(list.then(i)).ifPresent(all::add);
    }
    return all;
  }

  private static String expected(FieldPath field) {
    return SchemaCheck.expected(field);
  }

  private void refuse(FieldPath field, String message) {
    problems.add(tree.valueOf(field), field, message);
  }
}
