package io.gleaner.secrets;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** What systemd hands over to a service ({@code LoadCredentialEncrypted=<name>:...}). Immutable. */
public final class SystemdCredentials {
  private static final String FOLDER = "CREDENTIALS_DIRECTORY";

  private final Optional<Path> folder;

  /** As the environment variables name them. */
  public SystemdCredentials(Map<String, String> environment) {
    this.folder =
        Optional.ofNullable(environment.get(FOLDER)).filter(f -> !f.isEmpty()).map(Path::of);
  }

  /**
   * The credential of that name, if there is one.
   *
   * @throws SecurityRefusal if it is empty or others than the service may read it
   */
  public Optional<Secret> find(String name) {
    return folder.map(f -> f.resolve(name)).filter(Files::exists).map(SecretFile::readCredential);
  }
}
