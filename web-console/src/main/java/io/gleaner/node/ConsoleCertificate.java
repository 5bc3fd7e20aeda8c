package io.gleaner.node;

import io.gleaner.authority.Fingerprint;
import io.gleaner.http.ConsoleTls;
import io.gleaner.node.NodeSettings.ConsoleProof;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import io.gleaner.tls.Credentials;
import io.gleaner.tls.FileCredentials;
import io.gleaner.tls.NamedAddress;
import io.gleaner.tls.NodeCredentials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the console of a node shows, of the pool's authority or the operator's own, and the file in
 * which commands on this machine find by what to believe it. Safe for all threads.
 */
final class ConsoleCertificate {
  private static final Logger LOG = LoggerFactory.getLogger(ConsoleCertificate.class);
  private static final String DNS_NAME = "[A-Za-z0-9]([A-Za-z0-9.-]{0,60}[A-Za-z0-9])?";
  private static final int MOST_ADDRESSES = 64;

  /**
   * What is shown, and looked after.
   *
   * @param look renews it or reads it anew when it is time
   * @param fingerprints by which it is believed
   */
  private record Shown(
      Supplier<Credentials> shows, Runnable look, Supplier<List<Fingerprint>> fingerprints) {}

  private final Shown shown;
  private final boolean known;
  private final Path file;
  private volatile List<Fingerprint> written = List.of();

  private ConsoleCertificate(Shown shown, boolean known, Path file) {
    this.shown = shown;
    this.known = known;
    this.file = file;
  }

  /**
   * Looks whether the operator's own certificate can be used, before anything is started.
   *
   * @throws io.gleaner.secrets.SecurityRefusal if it cannot
   */
  static void requireUsable(ConsoleProof proof, InstantSource clock) {
    if (proof instanceof ConsoleProof.Own own) {
      FileCredentials unused = new FileCredentials(own.certificates(), own.key(), clock);
    }
  }

  /**
   * As the settings say; empty for a console in clear text.
   *
   * @throws io.gleaner.secrets.SecurityRefusal if the operator's own cannot be used
   */
  static Optional<ConsoleCertificate> of(NodeSettings settings, NodePool pool, InstantSource clock)
      throws IOException {
    NamedAddress at = NamedAddress.of("console", settings.listening().consoleHost());
    ConsoleProof proof = settings.listening().consoleProof();
    Path file = settings.home().consoleKeys();
    if (proof instanceof ConsoleProof.Own own) {
      FileCredentials credentials = new FileCredentials(own.certificates(), own.key(), clock);
      Shown shown =
          new Shown(
              credentials,
              credentials::look,
              () -> List.of(Fingerprint.of(credentials.get().certificate())));
      return Optional.of(new ConsoleCertificate(shown, true, file).kept());
    }
    if (proof instanceof ConsoleProof.Usual && at.isLoopback()) {
      return Optional.empty();
    }
    NodeCredentials credentials = pool.credentials(hosts(at));
    Shown shown = new Shown(credentials, credentials::renewIfDue, pool::fingerprints);
    return Optional.of(new ConsoleCertificate(shown, false, file).kept());
  }

  ConsoleTls tls() {
    return new ConsoleTls(shown.shows(), known);
  }

  /** Looks after it; to be called every few seconds. */
  void look() {
    shown.look().run();
    List<Fingerprint> now = shown.fingerprints().get();
    if (!now.equals(written)) {
      String text = now.stream().map(Fingerprint::toString).collect(Collectors.joining(","));
      SecretFile.write(file, Secret.of(text));
      written = now;
    }
  }

  private ConsoleCertificate kept() {
    look();
    return this;
  }

  /** Under what people reach it: loopback, and what was named or all that this machine has. */
  private static Set<String> hosts(NamedAddress at) {
    Set<String> hosts = new LinkedHashSet<>(List.of("localhost", "127.0.0.1", "::1"));
    if (!at.isEverywhere()) {
      hosts.add(at.listens());
      return hosts;
    }
    try {
      String name = InetAddress.getLocalHost().getHostName();
      if (name.matches(DNS_NAME)) {
        hosts.add(name);
      }
      NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> !address.isLinkLocalAddress() && !address.isLoopbackAddress())
          .map(address -> address.getHostAddress().replaceFirst("%.*", ""))
          .limit(MOST_ADDRESSES)
          .forEach(hosts::add);
    } catch (UnknownHostException | SocketException e) {
      LOG.warn("not all names of this machine are known, so its certificate lacks some", e);
    }
    return hosts;
  }
}
