package io.gleaner.gateway;

import io.gleaner.secrets.Secret;
import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.MemberProcess;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TestJvm;
import io.gleaner.space.core.Limits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/**
 * A member of a cluster with a gateway, in a process of its own, to be killed. The program's
 * arguments are a folder and the members to join; the secret of the cluster and a join token come
 * in the first lines of its input, and it ends with its input.
 */
public final class NodeProcess implements AutoCloseable {
  private static final String READY = "node ";
  private static final int CELLS = 31;

  private final Process process;
  private final String member;
  private final GatewayAddress gateway;

  private NodeProcess(Process process, String member, GatewayAddress gateway) {
    this.process = process;
    this.member = member;
    this.gateway = gateway;
  }

  public static void main(String[] arguments) throws Exception {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Secret secret = Secret.of(in.readLine());
    Secret token = Secret.of(in.readLine());
    List<String> join = List.of(arguments).subList(1, arguments.length);
    SpaceSettings settings =
        new SpaceSettings(MemberProcess.settings(secret, join).member(), CELLS, 2, Limits.DEFAULT);
    try (HazelcastSpace space = HazelcastSpace.start(settings);
        TestGateway gateway = TestGateway.startUsual(space, Path.of(arguments[0]))) {
      gateway.knows(token);
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .until(
              () ->
                  space.member().members() > join.size()
                      && (join.isEmpty() || space.member().isSettled()));
      System.out.println(READY + space.member().address() + " " + gateway.server.port());
      while (in.readLine() != null) {
        // until whoever started this node closes its input
      }
    }
  }

  /** Starts a node with the JVM and the classes of this one, and waits until it has replicas. */
  static NodeProcess start(Secret secret, Secret token, Path folder, List<NodeProcess> join)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of(folder.toString()));
    join.forEach(each -> arguments.add(each.member));
    Process process =
        new ProcessBuilder(TestJvm.command(NodeProcess.class, arguments))
            .redirectErrorStream(true)
            .start();
    process
        .getOutputStream()
        .write((secret.reveal() + "\n" + token.reveal() + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder said = new StringBuilder();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(READY)) {
        String[] words = line.split(" ");
        drain(out);
        return new NodeProcess(
            process, words[1], new GatewayAddress("127.0.0.1", Integer.parseInt(words[2])));
      }
      said.append(line).append('\n');
    }
    throw new IOException("the node did not start:\n" + said);
  }

  private static void drain(BufferedReader out) {
    Thread reader = new Thread(() -> out.lines().forEach(line -> {}), "what a node says");
    reader.setDaemon(true);
    reader.start();
  }

  GatewayAddress gateway() {
    return gateway;
  }

  /** As {@code kill -9}. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** Ends in order, with what its clients have to hear. */
  void endsInOrder() throws IOException, InterruptedException {
    process.getOutputStream().close();
    process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
