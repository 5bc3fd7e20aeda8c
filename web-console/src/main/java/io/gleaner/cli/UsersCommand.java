package io.gleaner.cli;

import io.gleaner.api.rest.RestClient;
import io.gleaner.secrets.Prompt;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Who may sign in, and as what. */
@Command(
    name = "users",
    mixinStandardHelpOptions = true,
    description = "Lists and adds users, changes roles and passwords.",
    subcommands = {
      UsersCommand.ListUsers.class,
      UsersCommand.Add.class,
      UsersCommand.Roles.class,
      UsersCommand.Password.class,
      HelpCommand.class
    })
final class UsersCommand extends CommandGroup {
  private static final String USERS = "/api/v1/users";

  /** What a user may be, as it is written on the command line. */
  enum RoleName {
    owner,
    submitter,
    operator,
    auditor;

    static List<String> roles(List<RoleName> names) {
      return names.stream().map(name -> name.name().toUpperCase(Locale.ROOT)).toList();
    }
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists the users that you may see, with their roles.")
  static final class ListUsers implements Callable<Integer> {
    @Mixin private NodeAccess node;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Override
    public Integer call() {
      Terminal.list(
          System.out,
          node.connect().get(USERS),
          json,
          "users",
          List.of("USER", "ROLES"),
          user -> {
            List<String> roles = new ArrayList<>();
            user.path("roles").forEach(role -> roles.add(role.asString().toLowerCase(Locale.ROOT)));
            return List.of(user.path("name").asString(), String.join(", ", roles));
          });
      return ExitCode.OK.value;
    }
  }

  @Command(
      name = "add",
      mixinStandardHelpOptions = true,
      description = "Adds a user, who gets the first credits; for operators.")
  static final class Add implements Callable<Integer> {
    @Mixin private NodeAccess node;

    @Mixin private NewPassword password;

    @Parameters(paramLabel = "<name>", description = "up to 64 letters, digits and . _ @ -")
    private String name;

    @Option(
        names = "--role",
        required = true,
        paramLabel = "ROLE",
        description = "${COMPLETION-CANDIDATES}; again for several")
    private List<RoleName> roles;

    @Override
    public Integer call() {
      RestClient api = node.connect();
      Map<String, Object> user = new LinkedHashMap<>();
      user.put("name", name);
      user.put("roles", RoleName.roles(roles));
      user.put("password", password.ask("Password of " + name).reveal());
      api.post(USERS, user, Map.of());
      System.out.println(name + " was added");
      return ExitCode.OK.value;
    }
  }

  @Command(
      name = "roles",
      mixinStandardHelpOptions = true,
      description = "Gives a user other roles and signs the user out; for operators.")
  static final class Roles implements Callable<Integer> {
    @Mixin private NodeAccess node;

    @Parameters(paramLabel = "<name>", description = "the user")
    private String name;

    @Option(
        names = "--role",
        paramLabel = "ROLE",
        description = "${COMPLETION-CANDIDATES}; again for several, none for no role")
    private List<RoleName> roles = List.of();

    @Override
    public Integer call() {
      node.connect()
          .post(USERS + "/" + name + "/roles", Map.of("roles", RoleName.roles(roles)), Map.of());
      System.out.println(name + " has the roles " + roles);
      return ExitCode.OK.value;
    }
  }

  @Command(
      name = "password",
      mixinStandardHelpOptions = true,
      description = {
        "Gives a user another password and signs the user out. Your own needs the current one;",
        "others' are for operators."
      })
  static final class Password implements Callable<Integer> {
    @Mixin private NodeAccess node;

    @Mixin private NewPassword password;

    @Parameters(paramLabel = "<name>", description = "the user")
    private String name;

    @Option(
        names = "--current-file",
        paramLabel = "FILE",
        description = "file with your current password, for your own")
    private Path current;

    @Override
    public Integer call() {
      RestClient api = node.connect();
      Map<String, Object> change = new LinkedHashMap<>();
      if (current != null) {
        change.put("current", SecretFile.read(current).reveal());
      } else if (api.get("/api/v1/account").path("user").asString().equals(name)) {
        change.put("current", NewPassword.prompt("Current password of " + name).reveal());
      }
      change.put("password", password.ask("New password of " + name).reveal());
      api.post(USERS + "/" + name + "/password", change, Map.of());
      System.out.println("the password of " + name + " was changed");
      return ExitCode.OK.value;
    }
  }

  /** Where a new password comes from. */
  static final class NewPassword {
    @Option(
        names = "--password-file",
        paramLabel = "FILE",
        description = "file with the new password, of 12 characters or more (default: asks)")
    private Path file;

    Secret ask(String what) {
      return file == null ? prompt(what) : SecretFile.read(file);
    }

    static Secret prompt(String what) {
      return Prompt.ask(what)
          .orElseThrow(
              () ->
                  new CommandFailure(
                      ExitCode.USAGE,
                      "nobody can be asked for the password here; name a file that holds it"));
    }
  }
}
