package io.gleaner.jini;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import net.jini.config.Configuration;
import net.jini.config.ConfigurationException;
import net.jini.config.ConfigurationProvider;

/** Lines of River's configuration language, of checked words only. For one thread. */
final class RiverSettings {
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9._:%-]{1,128}");
  private static final String EXPORTER =
      "new net.jini.jeri.BasicJeriExporter(net.jini.jeri.tcp.TcpServerEndpoint.getInstance("
          + "\"%1$s\", 0, null, new io.gleaner.jini.BoundServerSockets(\"%1$s\")),"
          + " new net.jini.jeri.BasicILFactory())";

  private final List<String> lines = new ArrayList<>(List.of("-"));

  /** Refuses what could be more than a name or an address. */
  static String word(String what, String text) {
    if (!WORD.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is no " + what + "; letters, digits and . _ : % - make one");
    }
    return text;
  }

  /** Discovery by multicast on the named interface only, or not at all. */
  static RiverSettings multicastOn(Optional<String> networkInterface) {
    return new RiverSettings()
        .set("net.jini.discovery.LookupDiscovery.multicastInterfaces", on(networkInterface));
  }

  /** A service that listens on the host and joins no other lookup service. */
  static RiverSettings service(String component, String host) {
    return multicastOn(Optional.empty())
        .set(component + ".serverExporter", EXPORTER.formatted(word("address", host)))
        .set(component + ".initialLookupGroups", "new String[] {}")
        .set(
            component + ".initialLookupLocators", "new net.jini.core.discovery.LookupLocator[] {}");
  }

  static String on(Optional<String> networkInterface) {
    return networkInterface
        .map(name -> word("network interface", name))
        .map(name -> "java.net.NetworkInterface.getByName(\"" + name + "\")")
        .map("new java.net.NetworkInterface[] { %s }"::formatted)
        .orElse("new java.net.NetworkInterface[] {}");
  }

  static String strings(List<String> texts) {
    return texts.stream()
        .map(text -> "\"" + word("group", text) + "\"")
        .collect(Collectors.joining(", ", "new String[] {", "}"));
  }

  RiverSettings set(String name, String expression) {
    lines.add(name + " = " + expression);
    return this;
  }

  String[] lines() {
    return lines.toArray(String[]::new);
  }

  Configuration configuration() {
    try {
      return ConfigurationProvider.getInstance(lines());
    } catch (ConfigurationException e) {
      throw new IllegalArgumentException("River refuses its settings: " + e.getMessage(), e);
    }
  }
}
