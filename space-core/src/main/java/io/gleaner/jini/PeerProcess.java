package io.gleaner.jini;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.space.JavaSpace05;

/**
 * Outrigger and Mahalo in a child process with the class path of this one, and their proxies here.
 * The child ends with {@link #close} or with this process.
 */
public final class PeerProcess implements AutoCloseable {
  private final Process process;
  private final JavaSpace05 outrigger;
  private final TransactionManager mahalo;

  private PeerProcess(Process process, JavaSpace05 outrigger, TransactionManager mahalo) {
    this.process = process;
    this.outrigger = outrigger;
    this.mahalo = mahalo;
  }

  /**
   * Starts both and returns when they serve.
   *
   * @param jvmOptions such as {@code -Xmx2g}
   * @throws IOException if they do not start; what they said is on this process's standard error
   */
  public static PeerProcess start(String... jvmOptions) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(BootClasses.ofThisProcess());
    command.addAll(List.of(jvmOptions));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), PeerMain.class.getName()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      JavaSpace05 outrigger = (JavaSpace05) proxy(out);
      return new PeerProcess(process, outrigger, (TransactionManager) proxy(out));
    } catch (IOException | RuntimeException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private static Object proxy(BufferedReader out) throws IOException {
    String line = out.readLine();
    if (line == null) {
      throw new IOException(
          "River's services did not start in a child process; their message is above");
    }
    return Marshalled.read(line);
  }

  public JavaSpace05 outrigger() {
    return outrigger;
  }

  public TransactionManager mahalo() {
    return mahalo;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
