package io.gleaner.cli;

import io.gleaner.cli.UsersCommand.RoleName;
import io.gleaner.identity.Role;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import io.gleaner.secrets.SystemdCredentials;
import io.gleaner.signin.Admission;
import io.gleaner.signin.Admission.Condition;
import io.gleaner.signin.OpenIdSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The options that name an OpenID provider by which people may sign in. */
final class OpenIdOptions {
  /** Of systemd, for the client's secret: {@code LoadCredentialEncrypted=gleaner-openid:...}. */
  private static final String CREDENTIAL = "gleaner-openid";

  @Option(
      names = "--openid-issuer",
      paramLabel = "URL",
      description = {
        "people may also sign in by this OpenID provider; https, or http on loopback. It sends",
        "browsers back to <console>/signin/openid/back"
      })
  private String issuer;

  @Option(
      names = "--openid-client",
      paramLabel = "ID",
      description = "with --openid-issuer: what the provider calls this console")
  private String client;

  @Option(
      names = "--openid-secret-file",
      paramLabel = "FILE",
      description = {
        "with --openid-issuer: holds the client's secret, readable by you only (default: the systemd",
        "credential " + CREDENTIAL + ")"
      })
  private Path secretFile;

  @Option(
      names = "--openid-name",
      paramLabel = "NAME",
      description =
          "with --openid-issuer: its name on the page (default: " + OpenIdSettings.USUAL_NAME + ")")
  private String name;

  @Option(
      names = "--openid-scope",
      paramLabel = "SCOPE",
      description = {
        "with --openid-issuer: what else to ask for besides openid and profile; again for several"
      })
  private List<String> scopes = List.of();

  @Option(
      names = "--openid-claim",
      paramLabel = "CLAIM",
      description = {
        "with --openid-issuer: the claim that is a new user's name (default:",
        Admission.USUAL_CLAIM + ")"
      })
  private String claim;

  @Option(
      names = "--openid-role",
      paramLabel = "ROLE",
      description = {
        "with --openid-issuer: what new users are, submitter or owner; again for both (default:",
        "submitter)"
      })
  private List<RoleName> roles = List.of();

  @Option(
      names = "--openid-allow",
      paramLabel = "CLAIM=VALUE",
      description = {
        "with --openid-issuer: only people with this claim sign in, as groups=gleaner or",
        "email=*@example.com; again for several, of which one is enough (default: everybody whom the",
        "provider knows)"
      })
  private List<String> allowed = List.of();

  Optional<OpenIdSettings> settings() {
    if (issuer == null) {
      if (client != null
          || secretFile != null
          || name != null
          || claim != null
          || !(scopes.isEmpty() && roles.isEmpty() && allowed.isEmpty())) {
        throw new CommandFailure(
            ExitCode.USAGE, "the options --openid-... go with --openid-issuer");
      }
      return Optional.empty();
    }
    if (client == null) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--openid-issuer needs --openid-client, by which the provider knows this console");
    }
    return Optional.of(
        new OpenIdSettings(
            issuer,
            client,
            secret(),
            Optional.ofNullable(name).orElse(OpenIdSettings.USUAL_NAME),
            scopes,
            admission(),
            OpenIdSettings.USUAL_PATIENCE));
  }

  private Admission admission() {
    Set<Role> newRoles =
        RoleName.roles(roles).stream().map(Role::valueOf).collect(Collectors.toSet());
    Admission usual = Admission.usual();
    return new Admission(
        Optional.ofNullable(claim).orElse(usual.nameClaim()),
        newRoles.isEmpty() ? usual.newRoles() : newRoles,
        allowed.stream().map(Condition::parse).toList());
  }

  private Secret secret() {
    if (secretFile != null) {
      return SecretFile.read(secretFile);
    }
    return new SystemdCredentials(System.getenv())
        .find(CREDENTIAL)
        .orElseThrow(
            () ->
                new CommandFailure(
                    ExitCode.USAGE,
                    "--openid-issuer needs the client's secret: name --openid-secret-file, or hand"
                        + " it over as the systemd credential "
                        + CREDENTIAL));
  }
}
