package io.gleaner.authority;

import io.gleaner.secrets.Prompt;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import io.gleaner.secrets.SystemdCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the passphrase of the authority's key comes from: the file that the settings name, else a
 * credential of systemd, else a person, if the settings say that one is to be asked. If there is
 * none of these, a passphrase is made and kept in the data folder, beside what it protects, and a
 * warning says so.
 */
public final class Passphrases {
  /** The credential's name: {@code LoadCredentialEncrypted=gleaner-authority:...}. */
  public static final String CREDENTIAL = "gleaner-authority";

  private static final Logger LOG = LoggerFactory.getLogger(Passphrases.class);
  private static final String GENERATED = "authority.passphrase";
  private static final int SHORTEST = 12;

  private final SystemdCredentials credentials;
  private final Function<String, Optional<Secret>> prompt;
  private final Path dataFolder;

  /**
   * Passphrases with their surroundings given.
   *
   * @param environment the environment variables
   * @param prompt asks a person; empty where nobody can be asked or nothing was typed
   */
  public Passphrases(
      Map<String, String> environment, Function<String, Optional<Secret>> prompt, Path dataFolder) {
    this.credentials = new SystemdCredentials(environment);
    this.prompt = prompt;
    this.dataFolder = dataFolder;
  }

  /** The environment and the terminal of this process. */
  public static Passphrases ofProcess(Path dataFolder) {
    return new Passphrases(System.getenv(), Prompt::ask, dataFolder);
  }

  /** The passphrase in a file outside the data folder that only its owner can use. */
  public Secret ofFile(Path file) {
    try {
      if (Files.exists(file) && file.toRealPath().startsWith(realDataFolder())) {
        throw new SecurityRefusal(
            Code.INVALID,
            "the passphrase file "
                + file
                + " is in the data folder, so whoever copies the folder has both; put it elsewhere");
      }
    } catch (IOException e) {
      throw new SecurityRefusal(
          Code.SECRET_FILE_UNREADABLE,
          "the passphrase file " + file + " cannot be read: " + e.getMessage(),
          e);
    }
    return SecretFile.read(file);
  }

  /**
   * What a person types, twice if it is a new one.
   *
   * @throws SecurityRefusal if nobody can be asked, or a new one is short or was mistyped
   */
  public Secret ofPrompt(boolean isNew) {
    Secret typed = ask("Passphrase of the pool's authority");
    if (isNew && typed.reveal().length() < SHORTEST) {
      throw new SecurityRefusal(
          Code.INVALID, "the passphrase needs at least " + SHORTEST + " characters");
    }
    if (isNew && !typed.equals(ask("The same passphrase again"))) {
      throw new SecurityRefusal(Code.INVALID, "the two passphrases differ; start again");
    }
    return typed;
  }

  /**
   * The credential of systemd, else the generated passphrase, which is made if there is none.
   *
   * @param warns hears for people that the generated one protects against nobody
   */
  public Secret ofSurroundings(Consumer<String> warns) {
    Optional<Secret> credential = credentials.find(CREDENTIAL);
    if (credential.isPresent()) {
      return credential.get();
    }
    Path generated = dataFolder.resolve(GENERATED);
    if (!Files.exists(generated)) {
      SecretFile.write(generated, Secret.random());
    }
    String warning =
        "THE KEY OF THE POOL'S AUTHORITY IS PROTECTED BY A PASSPHRASE THAT LIES BESIDE IT, in "
            + generated
            + ": whoever copies this folder can make members of the pool. Move that file elsewhere"
            + " and name it with --passphrase-file, or hand it over as the systemd credential "
            + CREDENTIAL
            + ".";
    LOG.warn("{}", warning);
    warns.accept(warning);
    return SecretFile.read(generated);
  }

  private Secret ask(String what) {
    return prompt
        .apply(what)
        .orElseThrow(
            () ->
                new SecurityRefusal(
                    Code.TOKEN_MISSING,
                    "no passphrase was typed; start in a terminal, or give it as a file or a"
                        + " systemd credential"));
  }

  private Path realDataFolder() throws IOException {
    return Files.exists(dataFolder) ? dataFolder.toRealPath() : dataFolder.toAbsolutePath();
  }
}
