import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Every library that a module or its tests ran with, its version and its licence, by the POM beside
 * its jar; needs a build before it and no network. Fails on a licence that is not allowed; says
 * where docs/licences.md differs, which {@code --write} writes.
 */
final class Licences {
  private static final Path REPORT = Path.of("docs/licences.md");

  /** SPDX names by what POMs say; whoever is not here is not allowed. */
  private static final Map<String, Pattern> ALLOWED =
      Map.of(
          "Apache-2.0", words("(the )?apache[ -](software )?(licen[sc]e )?-?(v|version )?2(\\.0)?.*"),
          "MIT", words("(the )?mit( license)?|bouncy castle licence"),
          "BSD", words(".*bsd.*|.*edl.*|eclipse distribution license.*"),
          "EPL-1.0", words("eclipse public license( -)? (v ?)?1\\.0"),
          "EPL-2.0", words("eclipse public license( -)? (v(ersion)? ?)?\\.?2\\.0|epl.2\\.0"),
          "MPL-2.0", words("mpl.2\\.0|mozilla public license.*2\\.0"),
          "LGPL-2.1", words("(gnu )?(lgpl|lesser general public license)[^3]*2\\.1.*"),
          "CDDL-1.0", words("cddl.*"),
          "GPL-2.0 with Classpath exception", words("gpl2 w/ cpe|.*classpath.*"),
          "CC0-1.0", words("cc0.*|public domain.*"));

  /** River's POMs name no licence; its LICENSE file does. */
  private static final Map<String, String> SAID_ELSEWHERE = Map.of("net.jini", "Apache-2.0", "org.apache.river", "Apache-2.0");

  private static final Pattern CLASS_PATH =
      Pattern.compile("name=\"(?:surefire\\.test|java)\\.class\\.path\" value=\"([^\"]*)\"");
  private static final Pattern JAR =
      Pattern.compile("(.*/\\.?[^/]+/repository|.*?/\\.m2/repository)/(.+)/([^/]+)/([^/]+)/[^/]+\\.jar");

  private record Library(Path repository, String group, String name, String version) {
    Path pom() {
      return repository.resolve(group.replace('.', '/')).resolve(name).resolve(version)
          .resolve(name + "-" + version + ".pom");
    }

    Library as(String g, String n, String v) {
      return new Library(repository, g, n, v);
    }
  }

  public static void main(String[] args) throws Exception {
    Map<String, Library> libraries = libraries();
    if (libraries.isEmpty()) {
      System.out.println("No test reports; run 'mvn verify' first.");
      System.exit(1);
    }
    StringBuilder table = new StringBuilder("""
        # Libraries and their licences

        What the modules and their tests run with. Written by `java .ci/Licences.java --write` after a build, and compared with the build by CI, which says what differs and fails on a licence that is not one of those that `.ci/Licences.java` allows. Where there are several, any of them may be chosen.

        | Library | Version | Licence |
        |---|---|---|
        """);
    Set<String> refused = new TreeSet<>();
    for (Map.Entry<String, Library> each : libraries.entrySet()) {
      Library library = each.getValue();
      Set<String> licences = licences(library, 0);
      Set<String> known = new TreeSet<>();
      licences.forEach(l -> known(l).ifPresent(known::add));
      if (known.isEmpty() && SAID_ELSEWHERE.containsKey(library.group)) {
        known.add(SAID_ELSEWHERE.get(library.group));
      }
      if (known.isEmpty()) {
        refused.add(each.getKey() + ":" + library.version + " " + licences);
      }
      table.append("| ").append(each.getKey()).append(" | ").append(library.version)
          .append(" | ").append(String.join(" or ", known)).append(" |\n");
    }
    if (args.length > 0 && args[0].equals("--write")) {
      Files.writeString(REPORT, table);
    }
    boolean same = Files.exists(REPORT) && Files.readString(REPORT).contentEquals(table);
    refused.forEach(each -> System.out.println("not an allowed licence: " + each));
    if (!same) {
      System.out.println(REPORT + " differs from this build; run 'java .ci/Licences.java --write' and look at the change");
    }
    System.out.printf("  S14    %4d libraries with their versions and licences, %d refused%n", libraries.size(), refused.size());
    System.exit(refused.isEmpty() ? 0 : 1);
  }

  /** By group and name; of two versions the last in their order. */
  private static Map<String, Library> libraries() throws IOException {
    Map<String, Library> found = new TreeMap<>();
    try (Stream<Path> files = Files.walk(Path.of("."))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (!file.toString().matches(".*/target/(surefire|failsafe)-reports/TEST-.*\\.xml")) {
          continue;
        }
        Matcher paths = CLASS_PATH.matcher(Files.readString(file));
        while (paths.find()) {
          for (String jar : paths.group(1).split(java.io.File.pathSeparator)) {
            Matcher at = JAR.matcher(jar.replace('\\', '/'));
            if (at.matches()) {
              Library library =
                  new Library(Path.of(at.group(1)), at.group(2).replace('/', '.'), at.group(3), at.group(4));
              if (!library.group.startsWith("io.gleaner") && Files.exists(library.pom())) {
                found.merge(library.group + ":" + library.name, library,
                    (a, b) -> a.version.compareTo(b.version) > 0 ? a : b);
              }
            }
          }
        }
      }
    }
    return found;
  }

  /** As the POM says, or its parents. */
  private static Set<String> licences(Library library, int depth) throws Exception {
    Set<String> names = new TreeSet<>();
    if (depth > 6 || !Files.exists(library.pom())) {
      return names;
    }
    Element project =
        DocumentBuilderFactory.newInstance().newDocumentBuilder()
            .parse(library.pom().toFile()).getDocumentElement();
    for (Element all : children(project, "licenses")) {
      for (Element licence : children(all, "license")) {
        children(licence, "name").forEach(name -> names.add(name.getTextContent().strip()));
      }
    }
    if (names.isEmpty()) {
      for (Element parent : children(project, "parent")) {
        return licences(
            library.as(text(parent, "groupId"), text(parent, "artifactId"), text(parent, "version")), depth + 1);
      }
    }
    return names;
  }

  private static Optional<String> known(String licence) {
    String plain = licence.toLowerCase().replaceAll("[\\s,]+", " ").strip();
    return ALLOWED.entrySet().stream()
        .filter(each -> each.getValue().matcher(plain).matches())
        .map(Map.Entry::getKey)
        .sorted()
        .findFirst();
  }

  private static Pattern words(String expression) {
    return Pattern.compile(expression);
  }

  private static String text(Element of, String name) {
    return children(of, name).get(0).getTextContent().strip();
  }

  private static java.util.List<Element> children(Element of, String name) {
    java.util.List<Element> found = new java.util.ArrayList<>();
    for (Node child = of.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found;
  }
}
