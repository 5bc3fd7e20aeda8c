package io.gleaner.cli;

import io.gleaner.api.rest.Patience;
import io.gleaner.api.rest.RestClient;
import io.gleaner.authority.PoolRole;
import io.gleaner.enrolment.Invitation;
import io.gleaner.enrolment.JoinToken;
import io.gleaner.identity.Role;
import io.gleaner.ledger.Credits;
import io.gleaner.node.Node;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A market on one machine: three users, two owners with a launcher process each, and a picture at
 * the end. Everything goes through the same gateway and REST interface that people use.
 */
final class Demo implements AutoCloseable {
  private static final Duration TOKEN_LIFE = Duration.ofDays(1);
  private static final List<String> OWNERS = List.of("olga", "otto");
  private static final List<String> RIVALS = List.of("bob", "cy");
  private static final String PAINTER = "ada";
  private final Node node;
  private final Path root;
  private final PrintStream out;
  private final Map<String, LauncherProcess> launchers = new LinkedHashMap<>();

  Demo(Node node, Path root, PrintStream out) {
    this.node = node;
    this.root = root;
    this.out = out;
  }

  /**
   * Runs the demo and returns the picture.
   *
   * @throws CommandFailure if the bag did not complete
   */
  Path run() throws IOException, InterruptedException {
    long startNanos = System.nanoTime();
    startLaunchers();
    BagFiles mandelbrot = BagFiles.read(root.resolve("examples/mandelbrot/bag.yaml"));
    BagFiles eternity = BagFiles.read(root.resolve("examples/eternity/bag.yaml"));
    RestClient ada = user(PAINTER);
    JsonNode bag = mandelbrot.submit(ada, Optional.empty());
    for (String rival : RIVALS) {
      eternity.submit(user(rival), Optional.empty());
    }
    out.printf(
        "bags       %s bids for mandelbrot (%d tiles), %s for eternity%n",
        PAINTER, bag.path("tasks").asInt(), String.join(" and ", RIVALS));
    RemoteBag remote = RemoteBag.ofId(ada, bag.path("id").asString());
    try (BagProgress progress = new BagProgress(out, "mandelbrot", bag.path("tasks").asInt())) {
      bag = remote.await(progress, this::price);
    }
    Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
    if (bag.path("completed").asInt() < bag.path("tasks").asInt()) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "the bag ended as " + bag.path("state").asString() + ": " + bag.path("note").asString());
    }
    Path folder = node.settings().home().folder().resolve("results").resolve(remote.id());
    BagResults results = BagResults.download(ada, remote, folder);
    Path picture = mandelbrot.collect(results, folder);
    report(bag, results, took);
    return picture.toAbsolutePath();
  }

  private String price() {
    OptionalLong price = node.market().clearing().microsPerUnit();
    return price.isPresent() ? Credits.text(price.getAsLong()) + " credits/unit" : "";
  }

  private void startLaunchers() throws IOException {
    Path folder = node.settings().home().folder();
    for (String owner : OWNERS) {
      Path token = folder.resolve("join-token-" + owner);
      Files.deleteIfExists(token);
      SecretFile.write(token, invite(owner).text());
      launchers.put(
          owner,
          LauncherProcess.start(
              root, node.addresses().gateway(), token, folder.resolve(desk(owner))));
    }
    out.printf("launchers  %s, one slot each%n", String.join(" and ", OWNERS));
  }

  /** Each demo has the same two machines, whether their folders are still there or not. */
  private JoinToken invite(String owner) {
    String name = desk(owner);
    return node.members()
        .inviteAgain(new Invitation(PoolRole.DEVICE, owner, Optional.of(name), TOKEN_LIFE), name)
        .token();
  }

  private static String desk(String owner) {
    return owner + "-desk";
  }

  private RestClient user(String name) {
    node.newUser(name, Set.of(Role.SUBMITTER));
    Secret token = node.apiTokens().issue(name, TOKEN_LIFE);
    return new RestClient(
        URI.create(node.addresses().console()), token, Patience.usual(), node.consoleTrust());
  }

  private void report(JsonNode bag, BagResults results, Duration took) {
    double seconds = took.toMillis() / 1000.0;
    out.printf(
        "%d tiles in %.1f s, %.1f tiles per second; %s paid %s of %s credits%n",
        bag.path("tasks").asInt(),
        seconds,
        bag.path("tasks").asInt() / seconds,
        PAINTER,
        Credits.text(bag.path("spentMicros").asLong()),
        Credits.text(bag.path("budgetMicros").asLong()));
    List<String> earned = new ArrayList<>();
    for (String owner : OWNERS) {
      long tiles = results.countOf(desk(owner));
      earned.add(
          "%s %s credits (%d tiles)"
              .formatted(owner, Credits.text(node.ledger().balance("owner/" + owner)), tiles));
    }
    out.println("earned     " + String.join(", ", earned));
  }

  @Override
  public void close() {
    launchers.values().parallelStream().forEach(LauncherProcess::close);
  }
}
