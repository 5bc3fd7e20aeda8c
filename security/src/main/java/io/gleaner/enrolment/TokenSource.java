package io.gleaner.enrolment;

import io.gleaner.secrets.Prompt;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where a join token comes from: the file that {@code --token-file} names, else the environment,
 * else a prompt. Never the command line, which every user of the machine can read.
 */
public final class TokenSource {
  /** The environment variable. */
  public static final String ENVIRONMENT = "GLEANER_JOIN_TOKEN";

  private final Map<String, String> environment;
  private final Supplier<Optional<Secret>> prompt;

  /**
   * A source with its surroundings given.
   *
   * @param environment the environment variables
   * @param prompt asks a person; empty where nobody can be asked or nothing was typed
   */
  public TokenSource(Map<String, String> environment, Supplier<Optional<Secret>> prompt) {
    this.environment = Map.copyOf(environment);
    this.prompt = prompt;
  }

  /** The environment and the terminal of this process. */
  public static TokenSource ofProcess() {
    return new TokenSource(System.getenv(), () -> Prompt.ask("Join token"));
  }

  /**
   * Reads the token from the file.
   *
   * @throws SecurityRefusal if it cannot be read, or the token is not whole
   */
  public Secret readFrom(Path tokenFile) {
    return whole(SecretFile.read(tokenFile));
  }

  /**
   * The token in the environment, if there is one.
   *
   * @throws SecurityRefusal if it is not whole
   */
  public Optional<Secret> ofEnvironment() {
    String value = environment.getOrDefault(ENVIRONMENT, "").strip();
    return value.isEmpty() ? Optional.empty() : Optional.of(whole(Secret.of(value)));
  }

  /**
   * Reads the token from the environment or asks for it.
   *
   * @throws SecurityRefusal if there is none, or it is not whole
   */
  public Secret read() {
    return ofEnvironment()
        .or(prompt)
        .map(TokenSource::whole)
        .orElseThrow(
            () ->
                new SecurityRefusal(
                    Code.TOKEN_MISSING,
                    "no join token: pass --token-file FILE, set "
                        + ENVIRONMENT
                        + ", or run in a terminal and type it"));
  }

  // What was mistyped is told here, not by a node that has to be asked first.
  private static Secret whole(Secret token) {
    return JoinToken.isOne(token) ? JoinToken.parse(token).text() : token;
  }

  /**
   * Refuses a command line that carries a token.
   *
   * @throws SecurityRefusal if an argument is {@code --token}, {@code --token=...} or alike
   */
  public static void refuseOnCommandLine(List<String> arguments) {
    for (String argument : arguments) {
      if (argument.matches("--(join-)?token(=.*)?")) {
        throw new SecurityRefusal(
            Code.SECRET_ON_COMMAND_LINE,
            "a token on the command line can be read by every user of this machine: treat it as"
                + " known, issue a new one, and pass it by --token-file FILE or "
                + ENVIRONMENT);
      }
    }
  }
}
