import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Prints, for each evidence id (@Tag("F4"), "S1", "RT-B1" on a test), what ran and what was skipped. */
final class Evidence {
  private static final Pattern TAG = Pattern.compile("@Tag\\(\"((?:F|S|RT)-?[A-Z]?\\d+)\"\\)");
  private static final Pattern METHOD =
      Pattern.compile("(?:^|\\s)void\\s+(\\w+)\\s*\\(|(?:^|\\s)class\\s+(\\w+)");
  private static final Pattern CASE =
      Pattern.compile("<testcase name=\"(\\w+)[^\"]*\" classname=\"([\\w.$]+)\"[^>]*?(/>|>)");

  private record Test(String type, String method) {}

  public static void main(String[] args) throws IOException {
    Map<String, List<Test>> tagged = new TreeMap<>();
    Map<String, int[]> results = new TreeMap<>();
    try (Stream<Path> files = Files.walk(Path.of("."))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = file.toString();
        if (name.contains("/src/test/java/") && name.endsWith(".java")) {
          readTags(Files.readString(file), tagged);
        } else if (name.matches(".*/target/(surefire|failsafe)-reports/TEST-.*\\.xml")) {
          readResults(Files.readString(file), results);
        }
      }
    }
    System.out.println("Evidence: id, tests passed, failed, skipped, not run");
    boolean silent = false;
    for (Map.Entry<String, List<Test>> id : tagged.entrySet()) {
      int[] sum = new int[3];
      int missing = 0;
      for (Test test : id.getValue()) {
        int[] of = results.get(test.type + "#" + test.method);
        if (of == null) {
          missing++;
        } else {
          for (int i = 0; i < 3; i++) {
            sum[i] += of[i];
          }
        }
      }
      silent |= sum[1] + sum[2] + missing > 0;
      System.out.printf(
          "  %-6s %4d passed %3d failed %3d skipped %3d not run%n",
          id.getKey(), sum[0], sum[1], sum[2], missing);
    }
    if (silent) {
      System.out.println("Some evidence failed, was skipped or did not run; see above.");
      System.exit(1);
    }
  }

  private static void readTags(String source, Map<String, List<Test>> tagged) {
    String type = "";
    List<String> pending = new ArrayList<>();
    List<String> ofClass = List.of();
    boolean nextIsTest = false;
    for (String line : source.split("\n")) {
      Matcher tag = TAG.matcher(line);
      while (tag.find()) {
        pending.add(tag.group(1));
      }
      nextIsTest |= line.matches("\\s*@(Test|FuzzTest|ParameterizedTest|RepeatedTest|TestFactory)\\b.*");
      Matcher declared = METHOD.matcher(line);
      if (!line.strip().startsWith("*") && declared.find()) {
        if (declared.group(2) != null) {
          if (type.isEmpty()) {
            type = declared.group(2);
            ofClass = pending;
          }
        } else if (nextIsTest) {
          for (String id : Stream.concat(ofClass.stream(), pending.stream()).distinct().toList()) {
            tagged.computeIfAbsent(id, k -> new ArrayList<>()).add(new Test(type, declared.group(1)));
          }
        }
        pending = new ArrayList<>();
        nextIsTest = false;
      }
    }
  }

  private static void readResults(String xml, Map<String, int[]> results) {
    Matcher test = CASE.matcher(xml);
    while (test.find()) {
      String type = test.group(2).replaceAll(".*[.]", "").replaceAll("\\$.*", "");
      int[] sum = results.computeIfAbsent(type + "#" + test.group(1), k -> new int[3]);
      String body = "";
      if (test.group(3).equals(">")) {
        int end = xml.indexOf("</testcase>", test.end());
        body = xml.substring(test.end(), end < 0 ? xml.length() : end);
      }
      int verdict = body.contains("<skipped") ? 2 : body.contains("<failure") || body.contains("<error") ? 1 : 0;
      sum[verdict]++;
    }
  }
}
