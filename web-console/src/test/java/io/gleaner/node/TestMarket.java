package io.gleaner.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.api.Gleaner;
import io.gleaner.authority.PoolRole;
import io.gleaner.bag.Bags;
import io.gleaner.bag.Bags.Summary;
import io.gleaner.enrolment.Invitation;
import io.gleaner.enrolment.Members;
import io.gleaner.identity.Role;
import io.gleaner.ledger.Ledger;
import io.gleaner.maker.Economy;
import io.gleaner.mechanism.ThinMarket;
import io.gleaner.node.NodeSettings.ConsoleProof;
import io.gleaner.node.NodeSettings.Keeping;
import io.gleaner.node.NodeSettings.Listening;
import io.gleaner.node.NodeSettings.Market;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A real node and real launcher processes on free ports, with verbs, so that a test reads as a
 * story. Closing it checks the invariants of the ledger.
 */
final class TestMarket implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private final long seed;
  private final Path folder;
  private final UnaryOperator<NodeSettings> change;
  private final List<TestLauncher> launchers = new ArrayList<>();
  private Node node;

  private TestMarket(long seed, Path folder, UnaryOperator<NodeSettings> change) {
    this.seed = seed;
    this.folder = folder;
    this.change = change;
  }

  static long seed() {
    return Long.getLong("gleaner.seed", new Random().nextLong());
  }

  /** A market in which few owners trade at once: thin market {@code call}, short quantum. */
  static TestMarket start(long seed) throws IOException {
    return start(seed, Economy.MARKET);
  }

  static TestMarket start(long seed, Economy economy) throws IOException {
    return start(
        seed,
        settings -> settings.with(Market.of(economy, ThinMarket.CALL, Duration.ofSeconds(1))));
  }

  /** A market whose bags end with its node. */
  static TestMarket startInMemory(long seed) throws IOException {
    return start(seed, settings -> settings.with(Keeping.inFolder().withSpaceInMemory()));
  }

  /** As above, with a console on TLS. */
  static TestMarket startOnTls(long seed) throws IOException {
    return start(
        seed,
        settings ->
            settings
                .with(Keeping.inFolder().withSpaceInMemory())
                .with(settings.listening().with(new ConsoleProof.OfPool())));
  }

  private static TestMarket start(long seed, UnaryOperator<NodeSettings> change)
      throws IOException {
    System.out.println("TestMarket seed " + seed + " (repeat with -Dgleaner.seed=" + seed + ")");
    TestMarket market = new TestMarket(seed, Files.createTempDirectory("test-market"), change);
    market.nodeStarts();
    return market;
  }

  private void nodeStarts() {
    NodeSettings settings =
        NodeSettings.in(new Home(folder.resolve("node"))).with(Listening.on(0, 0));
    node = Node.start(change.apply(settings), System.out::println);
  }

  /** Ends the node and starts another one in the same folder. */
  void restarts() {
    node.close();
    nodeStarts();
  }

  Node node() {
    return node;
  }

  Random random() {
    return new Random(seed);
  }

  /** Something that happens in a market. */
  @FunctionalInterface
  interface Story {
    void happens() throws Exception;
  }

  /** Lets it happen; a failure tells how the market stood. */
  void story(Story story) throws Exception {
    try {
      story.happens();
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "\n" + tells(), e);
    } catch (Exception e) {
      e.addSuppressed(new AssertionError(tells()));
      throw e;
    }
  }

  /** Waits for it; a failure tells how the market stood. */
  void until(String what, Callable<Boolean> holds) {
    try {
      await(what).atMost(DEADLINE).until(holds);
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(e.getMessage() + "\n" + tells(), e);
    }
  }

  /** The rest of an escrow returns a moment after its bag has ended. */
  void untilBalance(String account, long micros) {
    until(account + " has " + micros, () -> ledger().balance(account) == micros);
  }

  /** How everything stands: bags, the last round, contracts, launchers with their logs. */
  private String tells() {
    StringBuilder text = new StringBuilder("the market of seed " + seed + ":\n");
    for (Summary bag : node.bags().list(Optional.empty(), 10)) {
      text.append(bag)
          .append("\n  ")
          .append(node.market().explain(bag.jobId()).orElse("it does not bid"))
          .append('\n');
    }
    text.append(node.market().clearing()).append('\n');
    node.market().contracts().forEach(contract -> text.append(contract).append('\n'));
    node.market().launchers().forEach(launcher -> text.append(launcher).append('\n'));
    launchers.forEach(launcher -> text.append(launcher.tells()).append('\n'));
    return text.toString();
  }

  /** A program of the user's. */
  Gleaner connects(String user) {
    node.newUser(user, Set.of(Role.SUBMITTER));
    return Gleaner.to(
            URI.create(node.addresses().console()),
            node.apiTokens().issue(user, Duration.ofHours(1)))
        .gateway(node.addresses().gateway(), folder.resolve("program-" + user))
        .joinToken(invites(PoolRole.APPLICATION, user).token().text())
        .connect();
  }

  Members.Invited invites(PoolRole role, String user) {
    return node.members().invite(new Invitation(role, user, Optional.empty(), Duration.ofHours(1)));
  }

  TestLauncher launcher(String owner) {
    TestLauncher launcher = new TestLauncher(node, owner, folder.resolve(owner));
    launchers.add(launcher);
    return launcher;
  }

  /** A bag of the user whose tasks square the numbers from 1 after spinning. */
  Summary submits(String user, int tasks, int spinMillis, String... more) {
    return submits(
        user,
        io.gleaner.node.tasks.SquareTask.class,
        "  number: {range: {from: 1, to: %d}}%n  spin_millis: %d".formatted(tasks, spinMillis),
        more);
  }

  Summary submits(String user, Class<?> task, String parameters, String... more) {
    node.newUser(user, Set.of(Role.SUBMITTER));
    String description =
        """
        name: %s
        kind: java
        bundle: bundle.jar
        entry_point: %s
        parameters:
        %s
        limits: {units_per_task: 20}
        """
            .formatted(
                task.getSimpleName().toLowerCase(java.util.Locale.ROOT),
                task.getName(),
                parameters.indent(0).stripTrailing());
    String all = description + String.join("\n", more) + "\n";
    String estimated = all.contains("estimate:") ? all : all + "estimate: {units_per_task: 0.2}\n";
    String text = estimated.contains("budget:") ? estimated : estimated + "budget: 100\n";
    try {
      String bundle = node.blobs().of(user).put(TestBundle.of(task));
      return node.bags()
          .submit(
              user,
              new Bags.Submission(
                  text, Map.of("bundle.jar", bundle), UUID.randomUUID().toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Awaited awaits(Summary bag) {
    return new Awaited(bag.jobId());
  }

  /** What one waits for of a bag. */
  final class Awaited {
    private final String jobId;

    private Awaited(String jobId) {
      this.jobId = jobId;
    }

    void isRunningOn(TestLauncher launcher) {
      until(
          jobId + " runs on " + launcher.id(),
          () ->
              node.market().launchers().stream()
                  .filter(each -> each.launcherId().equals(launcher.id()))
                  .anyMatch(
                      each -> each.running().stream().anyMatch(run -> run.startsWith(jobId))));
    }

    Summary hasEnded(String state) {
      until(jobId + " ends", () -> node.bags().find(jobId).orElseThrow().ended().isPresent());
      Summary bag = node.bags().find(jobId).orElseThrow();
      assertThat(bag.state()).as(bag.note()).isEqualTo(state);
      return bag;
    }

    /** Every task has exactly one accepted result. */
    List<Bags.TaskOutcome> isComplete() {
      Summary bag = hasEnded("DONE");
      List<Bags.TaskOutcome> outcomes = node.bags().outcomes(jobId, -1, bag.tasks() + 1);
      assertThat(bag.completed()).isEqualTo(bag.tasks());
      assertThat(outcomes).hasSize(bag.tasks());
      assertThat(outcomes.stream().map(Bags.TaskOutcome::taskIndex).distinct())
          .hasSize(bag.tasks());
      return outcomes;
    }

    void hasCompleted(int tasks) {
      until(
          jobId + " has " + tasks + " results",
          () -> node.bags().find(jobId).orElseThrow().completed() >= tasks);
    }
  }

  /** What the owners earned, and that the books balance. */
  Ledger ledger() {
    return node.ledger();
  }

  long earnedBy(TestLauncher launcher) {
    return node.ledger().balance("owner/" + launcher.owner());
  }

  void booksBalance() {
    assertThat(node.ledgerProblems()).isEmpty();
  }

  @Override
  public void close() throws Exception {
    try {
      for (TestLauncher launcher : launchers) {
        launcher.close();
      }
      booksBalance();
    } finally {
      node.close();
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
