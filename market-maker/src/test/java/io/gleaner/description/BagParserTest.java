package io.gleaner.description;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gleaner.tuple.TaskKind;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A description is read with its defaults, or refused with every error, line and field. */
@Timeout(60)
class BagParserTest {
  private static final String LEAST =
      """
      name: least
      bundle: least.jar
      entry_point: org.example.Least
      """;

  @Test
  void theLeastDescriptionHasEveryDefault() {
    BagDescription bag = BagParser.parse(LEAST);

    assertThat(bag.kind()).isEqualTo(TaskKind.JAVA);
    assertThat(bag.collector()).isEmpty();
    assertThat(bag.parameters()).isEmpty();
    assertThat(bag.memoryMegabytes()).isEqualTo(256);
    assertThat(bag.estimateMicroUnits()).isEqualTo(1_000_000);
    assertThat(bag.limits())
        .isEqualTo(new BagDescription.Limits(4_000_000, 3_600_000, 1L << 30, 16 << 20));
    assertThat(bag.maxAttempts()).isEqualTo(3);
    assertThat(bag.stopsOnFailure()).isFalse();
    assertThat(bag.budgetMicros()).isZero();
    assertThat(bag.priceLimit()).isEmpty();
    assertThat(bag.deadline()).isEmpty();
    assertThat(bag.replication()).isEqualTo(1);
    assertThat(bag.runOn()).isEmpty();
    assertThat(bag.notice()).isEmpty();
    assertThat(bag.files()).containsExactly("least.jar");
  }

  @Test
  void everyKeyIsRead() {
    BagDescription bag =
        BagParser.parse(
            """
            name: zoom
            kind: java
            bundle: target/zoom.jar
            entry_point: org.example.Zoom
            collector: org.example.Picture
            parameters:
              depth: 007
              tile: {range: {from: 0, to: 0.3, step: 0.1}}
              colour: {list: [red, 1.50, true]}
              _: {csv: cases.csv}
              input: {files: "data/*.txt"}
            requirements: {memory: 512 MB}
            estimate: {units_per_task: 0.5}
            limits: {units_per_task: 1.25, time: 2h30m, disk: 2 GB, output: 1 MB}
            max_attempts: 5
            on_failure: stop
            budget: 12.345678
            price_limit: {per_unit: 0.000001}
            deadline: PT90M
            replication: 3
            run_on: {sites: [lab], owners: [alice, bob], labels: [fast]}
            notify: {mail: me@example.org, webhook: "https://example.org/x", at: [done, budget_80]}
            """);

    assertThat(bag.parameters())
        .containsExactly(
            new Parameter.Constant("depth", "007"),
            new Parameter.Range(
                "tile", BigDecimal.ZERO, new BigDecimal("0.3"), new BigDecimal("0.1")),
            new Parameter.Listed("colour", List.of("red", "1.50", "true")),
            new Parameter.Csv("_", "cases.csv"),
            new Parameter.Files("input", "data/*.txt"));
    assertThat(bag.collector()).contains("org.example.Picture");
    assertThat(bag.memoryMegabytes()).isEqualTo(512);
    assertThat(bag.limits())
        .isEqualTo(new BagDescription.Limits(1_250_000, 9_000_000, 2L << 30, 1 << 20));
    assertThat(bag.maxAttempts()).isEqualTo(5);
    assertThat(bag.stopsOnFailure()).isTrue();
    assertThat(bag.budgetMicros()).isEqualTo(12_345_678);
    assertThat(bag.priceLimit())
        .contains(new BagDescription.PriceLimit(BagDescription.Per.UNIT, 1));
    assertThat(bag.deadline())
        .contains(
            new BagDescription.Deadline(
                Optional.empty(), Optional.of(Duration.ofHours(1).plusMinutes(30))));
    assertThat(bag.replication()).isEqualTo(3);
    assertThat(bag.runOn()).containsExactly("site:lab", "owner:alice", "owner:bob", "label:fast");
    assertThat(bag.notice().orElseThrow().at())
        .isEqualTo(Set.of(BagDescription.Event.DONE, BagDescription.Event.BUDGET_80));
    assertThat(bag.files()).containsExactly("target/zoom.jar", "cases.csv");
    assertThat(bag.patterns()).containsExactly("data/*.txt");
  }

  @Test
  void allErrorsAreListedInTheOrderOfTheLines() {
    List<String> errors =
        errorsOf(
            """
            name: broken
            bundel: a.jar
            parameters:
              tile:
                range:
                  from: 1
                  to: abc
              2nd: 5
              empty: {list: []}
            limits: {time: soon, memory: 1 GB}
            max_attempts: 0
            budget: 1.1234567
            """);

    assertThat(errors)
        .containsExactly(
            "line 1, column 1, bundle: is missing; add the name of a file: bundle:"
                + " target/mandelbrot.jar",
            "line 1, column 1, entry_point: is missing; add a name of 1 to 500 characters:"
                + " entry_point: org.example.RenderTile",
            "line 2, column 1, bundel: there is no such key; did you mean 'bundle'?",
            "line 7, column 11, parameters.tile.range.to: 'abc' is not a number; write a whole"
                + " number or a decimal",
            "line 8, column 3, parameters.2nd: '2nd' is not a name; write 1 to 64 letters, digits"
                + " and _, no digit first",
            "line 9, column 17, parameters.empty.list: an empty list is not a list with at least"
                + " one value; write for example [red, green, blue]",
            "line 10, column 16, limits.time: 'soon' is not a duration from 1s to 30d; write for"
                + " example 10m",
            "line 10, column 22, limits.memory: there is no such key; known here: units_per_task,"
                + " time, disk, output",
            "line 11, column 15, max_attempts: '0' is not a whole number from 1 to 100; write for"
                + " example 3",
            "line 12, column 9, budget: '1.1234567' is not a number of credits from 0 to"
                + " 1000000000000, with at most 6 decimals; write for example 50");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          kind: script                   | line 4, column 7, kind: 'script' is not java, wasm or command; write for example java
          bundle: other.jar              | line 4, column 1, bundle: this key was written before, on line 2; keep one of the two
          max_attempts: 1.5              | line 4, column 15, max_attempts: '1.5' is not a whole number
          max_attempts: many             | line 4, column 15, max_attempts: 'many' is not a whole number
          max_attempts:                  | line 4, column 14, max_attempts: nothing is not a whole number
          replication: 10                | line 4, column 14, replication: '10' is not a whole number from 1 to 9
          on_failure: retry              | line 4, column 13, on_failure: 'retry' is not continue or stop
          budget: -1                     | line 4, column 9, budget: '-1' is not a number of credits
          budget: much                   | line 4, column 9, budget: 'much' is not a number of credits
          budget: .inf                   | line 4, column 9, budget: '.inf' is out of range
          budget: 1e999999999            | line 4, column 9, budget: '1e999999999' is out of range
          requirements: {memory: 256}    | line 4, column 24, requirements.memory: '256' is not a size with its unit, from 16 MB to 1 TB; write for example 256 MB
          requirements: {memory: 1 MB}   | line 4, column 24, requirements.memory: '1 MB' is not a size with its unit, from 16 MB
          requirements: lots             | line 4, column 15, requirements: 'lots' is not requirements by name
          limits: {output: 2 GB}         | line 4, column 18, limits.output: '2 GB' is not a size with its unit, from 1 B to 1 GB
          limits: {time: 90d}            | line 4, column 16, limits.time: '90d' is not a duration from 1s to 30d
          limits: {units_per_task: 0.5}  | line 4, column 26, limits.units_per_task: '0.5' is less than the estimate of 1 units
          estimate: {units_per_task: 0}  | line 4, column 28, estimate.units_per_task: '0' is not a number of units above 0
          price_limit: {per_unit: 1}     | line 4, column 14, price_limit: there is a price limit but no budget
          price_limit: {}                | line 4, column 14, price_limit: an empty map is not either per_unit or per_task
          deadline: yesterday            | line 4, column 11, deadline: 'yesterday' is not a duration above 0 or an instant
          deadline: 2030-01-31T18:00:00  | line 4, column 11, deadline: '2030-01-31T18:00:00' is not a duration above 0 or an instant
          run_on: {sites: lab}           | line 4, column 17, run_on.sites: 'lab' is not a list of sites; write for example [lab-2]
          run_on: {sites: [lab, 3]}      | line 4, column 23, run_on.sites[1]: '3' is not a name of 1 to 100 characters
          run_on: {machines: [a]}        | line 4, column 10, run_on.machines: there is no such key; known here: sites, owners, labels
          notify: {at: [done]}           | line 4, column 9, notify: nobody is named
          notify: {mail: nobody}         | line 4, column 16, notify.mail: 'nobody' is not a mail address
          notify: {webhook: 'file:///x'} | line 4, column 19, notify.webhook: 'file:///x' is not an http or https address
          notify: {webhook: 'http://a:b@c/'} | line 4, column 19, notify.webhook: it is not an address with a host and without a password
          notify: {mail: a@b, at: [dome]} | line 4, column 26, notify.at[0]: 'dome' is not done, failed or budget_80
          collector: ../evil.jar         | none
          parameters: 5                  | line 4, column 13, parameters: '5' is not parameters by name
          parameters: {a: [1]}           | line 4, column 17, parameters.a: a list of 1 is not a constant, or one of range, list, csv and files
          parameters: {a: {rnage: {}}}   | line 4, column 18, parameters.a.rnage: there is no such key; did you mean 'range'?
          parameters: {a: {list: [1], csv: b}} | line 4, column 17, parameters.a: a map with list, csv is not a constant, or one of
          parameters: {a: {range: {from: 1}}} | line 4, column 25, parameters.a.range.to: is missing; add a number
          parameters: {a: {range: {from: 1, to: 9, step: 0}}} | line 4, column 48, parameters.a.range.step: '0' is not a number other than 0
          parameters: {a: {range: {from: 9, to: 1}}} | line 4, column 25, parameters.a.range: no number lies from 9 to 1 by steps of 1; swap from and to
          parameters: {a: {range: {from: 1, to: 1000001}}} | line 4, column 25, parameters.a.range: it has 1000001 values; a bag has at most 1000000 tasks
          parameters: {a: {csv: ../b.csv}} | line 4, column 23, parameters.a.csv: '../b.csv' leaves the folder
          parameters: {a: {files: 'in/[a'}} | line 4, column 25, parameters.a.files: 'in/[a' is not a pattern
          parameters: {_: {list: [1]}}   | line 4, column 14, parameters._: only a csv parameter may be called _
          parameters: {a: {list: [[1]]}} | line 4, column 25, parameters.a.list[0]: a list of 1 is not a text, a number, true or false
          bundle2: &x y                  | line 4, column 10, the description: anchors and aliases
          'name: [a'                     | this is not YAML
          '--- second'                   | line 4, column 1, the description: a second document begins here
          max_attempts: !!int 3          | none
          max_attempts: !evil 3          | line 4, column 15, max_attempts: the tag !evil is not read
          """)
  void anErrorNamesItsPlaceAndWhatToDo(String line, String error) {
    if (error.equals("none")) {
      BagParser.parse(LEAST + line + "\n");
    } else {
      assertThat(errorsOf(LEAST + line + "\n")).singleElement().asString().contains(error);
    }
  }

  @Test
  void hostileTextIsRefusedBeforeItCostsAnything() {
    assertThat(errorsOf("a: ".repeat(1) + "[".repeat(100_000)))
        .singleElement()
        .asString()
        .contains("deeper");
    assertThat(errorsOf("x".repeat(YamlReader.MAX_CHARACTERS + 1)))
        .singleElement()
        .asString()
        .contains("at most 1048576 are read");
    assertThat(errorsOf("parameters:\n" + "  a: 1\n".repeat(30_000)))
        .singleElement()
        .asString()
        .contains("more than 20000 keys and values");
    assertThat(errorsOf("name: n\nrun_on: {sites: [" + "1, ".repeat(30_000) + "1]}"))
        .singleElement()
        .asString()
        .contains("more than 20000 keys and values");
    assertThat(errorsOf("")).singleElement().asString().contains("it is empty");
    assertThat(errorsOf("\0")).singleElement().asString().contains("this is not YAML");
    assertThat(errorsOf("just text")).isNotEmpty();
  }

  @Test
  void aDeadlineIsAnInstantOrCountsFromTheSubmission() {
    Instant now = Instant.parse("2030-01-01T00:00:00Z");
    assertThat(deadline("2h").from(now)).isEqualTo("2030-01-01T02:00:00Z");
    assertThat(deadline("2030-01-31T18:00:00+01:00").from(now)).isEqualTo("2030-01-31T17:00:00Z");
  }

  @Test
  void moneyIsExact() {
    assertThat(Micros.parse("0.000001")).contains(1L);
    assertThat(Micros.parse("1e3")).contains(1_000_000_000L);
    assertThat(Micros.parse("0.0000001")).isEmpty();
    assertThat(Micros.format(1_500_000)).isEqualTo("1.5");
    assertThat(Micros.format(0)).isEqualTo("0");
  }

  private static BagDescription.Deadline deadline(String text) {
    return BagParser.parse(LEAST + "deadline: " + text + "\n").deadline().orElseThrow();
  }

  private static List<String> errorsOf(String yaml) {
    DescriptionException refused =
        catchThrowableOfType(DescriptionException.class, () -> BagParser.parse(yaml));
    assertThat(refused).as("the description should be refused").isNotNull();
    return refused.problems().stream().map(Problem::toString).toList();
  }
}
