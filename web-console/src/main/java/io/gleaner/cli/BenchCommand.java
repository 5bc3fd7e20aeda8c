package io.gleaner.cli;

import io.gleaner.bench.Area;
import io.gleaner.bench.Report;
import io.gleaner.bench.Scale;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures what the bars of performance are about. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = {
      "Measures this machine's performance in one area and prints conditions, figures and bars.",
      "The exit status is 0 whatever falls short of its goal."
    })
final class BenchCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "AREA", description = "what to measure: space")
  private String area;

  @Option(names = "--quick", description = "less of everything; about a minute on two cores")
  private boolean quick;

  @Option(names = "--entries", description = "at most so many entries wait in a space")
  private Integer entries;

  @Option(names = "--slice", paramLabel = "SECONDS", description = "how long a figure is measured")
  private Double slice;

  @Option(names = "--json", description = "print JSON; the table goes to standard error")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    Area chosen =
        Area.named(area)
            .orElseThrow(
                () ->
                    new CommandFailure(
                        ExitCode.USAGE,
                        "there is no benchmark of '" + area + "'; there is one of " + areas()));
    Report report = new Report(json ? System.err : System.out);
    chosen.run(scale(), report);
    if (json) {
      System.out.println(report.json());
    }
    return ExitCode.OK.value;
  }

  private Scale scale() {
    Scale scale = quick ? Scale.QUICK : Scale.FULL;
    if ((entries != null && entries < 1) || (slice != null && !(slice > 0))) {
      throw new CommandFailure(ExitCode.USAGE, "--entries and --slice are larger than 0");
    }
    if (entries != null) {
      scale = scale.withEntries(entries);
    }
    return slice == null ? scale : scale.withSlices(slice);
  }

  private static String areas() {
    List<String> titles = Arrays.stream(Area.values()).map(Area::title).toList();
    return String.join(", ", titles);
  }
}
