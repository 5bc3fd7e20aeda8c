package io.gleaner.space;

import io.gleaner.secrets.Secret;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * A member of a cluster in a process of its own, to be killed. The program's arguments are the
 * addresses to join; the secret comes in the first line of its input, and it ends with its input.
 */
public final class MemberProcess implements AutoCloseable {
  static final String CLUSTER = "killed";

  private final Process process;

  private MemberProcess(Process process) {
    this.process = process;
  }

  public static void main(String[] addresses) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Secret secret = Secret.of(in.readLine());
    try (HazelcastSpace member = HazelcastSpace.start(settings(secret, List.of(addresses)))) {
      System.out.println("member " + member.member().address());
      while (in.readLine() != null) {
        // until whoever started this member closes its input
      }
    }
  }

  public static SpaceSettings settings(Secret secret, List<String> join) {
    MemberSettings founding =
        MemberSettings.founding(CLUSTER, secret).withPatience(Duration.ofMinutes(2));
    return SpaceSettings.of(join.isEmpty() ? founding : founding.joining(join));
  }

  /** Starts a member with the JVM and the classes of this one; it joins a little later. */
  static MemberProcess start(Secret secret, List<String> join) throws IOException {
    Process process =
        new ProcessBuilder(TestJvm.command(MemberProcess.class, join))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.getOutputStream().write((secret.reveal() + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    return new MemberProcess(process);
  }

  /** As {@code kill -9}. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
