package io.gleaner.cli;

import io.gleaner.description.ProgramManifest;
import io.gleaner.node.Home;
import io.gleaner.signing.Digests;
import io.gleaner.signing.SignedManifest;
import io.gleaner.signing.SignerKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Signs the program of a bag, with a key that it makes at its first use. */
@Command(
    name = "sign",
    mixinStandardHelpOptions = true,
    description = {
      "Signs the program of a bag, so that owners of machines can choose to trust its signer.",
      "Writes <program>.signed beside it; submit hands that in. Makes a key at its first use.",
      "A program that nobody signed is signed by the node that takes it."
    })
final class SignCommand implements Callable<Integer> {
  @Parameters(paramLabel = "<bag.yaml>", description = "the description that names the program")
  private Path description;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "your key; made if it is not there (default: my-signer-key in ~/.gleaner)")
  private Path key;

  @Option(
      names = "--version-number",
      paramLabel = "N",
      description =
          "no machine goes back to a lower one of the same file name (default: the seconds of now)")
  private Long version;

  @Override
  public Integer call() throws IOException {
    BagFiles bag = BagFiles.read(description);
    Path program = bag.program();
    SignerKey signer = SignerKey.readOrCreate(keyFile(key));
    long number = version == null ? InstantSource.system().instant().getEpochSecond() : version;
    SignedManifest signed =
        signer.sign(
            ProgramManifest.of(
                bag.description(),
                name(program),
                number,
                Digests.sha256Hex(program),
                Files.size(program)));
    Path beside = Path.of(program + SignedManifest.SUFFIX);
    Files.write(beside, signed.encode());
    System.out.println(beside + ": " + name(program) + " version " + number);
    System.out.println("signer " + signer.signer());
    System.out.println("digest " + signed.digest());
    return ExitCode.OK.value;
  }

  /** The file that was named, else the one in the user's folder. */
  static Path keyFile(Path named) throws IOException {
    Path file = named == null ? Home.of(Optional.empty()).mySigner() : named;
    Files.createDirectories(file.toAbsolutePath().getParent());
    return file;
  }

  private static String name(Path program) {
    String safe = program.getFileName().toString().replaceAll("[^A-Za-z0-9.-]", "-");
    String name = safe.replaceAll("^[.-]+", "");
    return name.isEmpty() ? "program" : name.substring(0, Math.min(64, name.length()));
  }
}
