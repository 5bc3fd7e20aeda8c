package io.gleaner.puller;

import io.gleaner.enrolment.TokenSource;
import io.gleaner.gateway.GatewayAddress;
import io.gleaner.gateway.GatewayException;
import io.gleaner.gateway.PoolMember;
import io.gleaner.jini.PoolFinder;
import io.gleaner.policy.LauncherException;
import io.gleaner.policy.OwnerPolicy;
import io.gleaner.policy.PolicyFile;
import io.gleaner.policy.Setting;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.signing.Signer;
import io.gleaner.status.StatusClient;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code gleaner worker}: lends this machine to a market. */
@Command(
    name = "worker",
    subcommands = {
      OwnerCommands.Pause.class,
      OwnerCommands.Resume.class,
      OwnerCommands.Snooze.class,
      OwnerCommands.FinishThenPause.class,
      OwnerCommands.RunNow.class,
      OwnerCommands.Profile.class,
      PolicyCommand.class
    },
    description = "Lends this machine to a market, whenever its owner does not need it.",
    mixinStandardHelpOptions = true,
    versionProvider = WorkerCommand.Version.class,
    sortOptions = false,
    footer = {
      "",
      "Without --dedicated it works only when nobody has used the machine for 15 minutes,",
      "other programs need little of the processor, and it is on mains; --policy changes",
      "that, and 'worker policy check' says what it means.",
      "The first time it makes a key, and a join token makes it a member of the market:",
      "read from --token-file, from GLEANER_JOIN_TOKEN, or asked for. Later its certificate",
      "is enough."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:ended by Ctrl-C, SIGTERM or as asked",
      "1:an internal error",
      "2:the command line, the settings or the policy are not valid",
      "3:no launcher runs here, or the market cannot be reached",
      "4:the market refuses the join token or the certificate, or is not that of the token"
    })
public final class WorkerCommand implements Callable<Integer> {
  static final int INVALID = 2;
  static final int UNREACHABLE = 3;
  static final int REFUSED = 4;

  private static final long MICROS = 1_000_000;
  private static final Duration LOOKUP_PATIENCE = Duration.ofSeconds(15);

  private final Door door;

  @Spec private CommandSpec spec;

  @Option(
      names = "--join",
      paramLabel = "<host:port>",
      description = {
        "The market's address, as './gleaner up' prints it,",
        "or those of several of its nodes, with commas between;",
        "or jini://host[:port], a lookup service that knows it,",
        "or jini:group@interface, one that answers on that network."
      })
  private String join;

  @Option(
      names = "--token-file",
      paramLabel = "<file>",
      description = "File with the join token, readable by you alone; for the first time.")
  private Path tokenFile;

  @Option(
      names = "--slots",
      paramLabel = "<n>",
      description = "Tasks at a time; default: one for each core.")
  private Integer slots;

  @Option(
      names = "--memory",
      paramLabel = "<MB>",
      description = "Memory for each slot; default: ${DEFAULT-VALUE}.",
      defaultValue = "256")
  private int memory;

  @Option(
      names = "--dedicated",
      description = "This machine has no owner at its keyboard: it serves always.")
  private boolean dedicated;

  @Option(
      names = "--reserve",
      paramLabel = "<credits>",
      description = "Lowest price for one unit of work; default: ${DEFAULT-VALUE}.",
      defaultValue = "0")
  private BigDecimal reserve;

  @Option(
      names = "--site",
      paramLabel = "<name>",
      description = "Site of this launcher; default: ${DEFAULT-VALUE}.",
      defaultValue = "default")
  private String site;

  @Option(
      names = "--label",
      paramLabel = "<word>",
      description = "A word that bags may ask for; may be given several times.")
  private List<String> labels = List.of();

  @Option(
      names = "--signer",
      paramLabel = "<key>",
      description = {
        "Run only programs that this key signed, of every kind; may be given several times.",
        "It fixes the program and its entry point, not the parameters and files of its tasks.",
        "Without it: programs of everybody whom the pool vouches for."
      })
  private List<String> signers = List.of();

  @Option(
      names = "--policy",
      paramLabel = "<file>",
      description = "The owner's policy, a YAML file; see 'worker policy check'.")
  private Path policyFile;

  @Option(
      names = "--data",
      paramLabel = "<folder>",
      scope = CommandLine.ScopeType.INHERIT,
      description =
          "Folder for certificate, cache and state, closed to other users of this machine;"
              + " default: ~/.gleaner/worker.")
  private Path data;

  /** The command as people run it: it joins through the gateway of a node. */
  public WorkerCommand() {
    this(new GatewayDoor());
  }

  WorkerCommand(Door door) {
    this.door = door;
  }

  public static void main(String[] args) {
    System.exit(commandLine(new GatewayDoor()).execute(args));
  }

  /** The command with its subcommands and the exit codes of its errors. */
  static CommandLine commandLine(Door door) {
    return WrongUsage.saidBy(new CommandLine(new WorkerCommand(door)))
        .setCommandName("gleaner worker")
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              command.getErr().println("worker: " + e.getMessage());
              command.getErr().flush();
              return exitCode(e);
            });
  }

  private static int exitCode(Exception e) {
    if (e instanceof LauncherException launcher) {
      return switch (launcher.code()) {
        case INVALID_SETTINGS, INVALID_POLICY, DATA_FOLDER -> INVALID;
        case NOT_RUNNING, UNREACHABLE -> UNREACHABLE;
        case REFUSED -> REFUSED;
      };
    }
    if (e instanceof GatewayException gateway) {
      return switch (gateway.code()) {
        case TOKEN_REFUSED, NOT_BELIEVED -> REFUSED;
        case BAD_ADDRESS, BAD_SETTINGS -> INVALID;
        case CANNOT_LISTEN, UNREACHABLE, PROTOCOL, LIMIT, LOST, CLOSED -> UNREACHABLE;
      };
    }
    if (e instanceof SecurityRefusal refusal) {
      return switch (refusal.code()) {
        case TOKEN_REFUSED, NOT_TRUSTED, REVOKED -> REFUSED;
        default -> INVALID;
      };
    }
    return 1;
  }

  @Override
  public Integer call() throws Exception {
    if (join == null) {
      throw new ParameterException(
          spec.commandLine(), "Which market? Name it with --join <host:port>.");
    }
    List<GatewayAddress> addresses = PoolFinder.gateways(join, LOOKUP_PATIENCE);
    LauncherSettings settings = settings();
    JoinBy by = new JoinBy(dataFolder(), token());
    new Service(door, addresses, by, settings, spec.commandLine().getOut()).run();
    return 0;
  }

  /** Who is a member already needs no token, but may have been given a new one. */
  private Optional<Secret> token() {
    TokenSource source = TokenSource.ofProcess();
    boolean isMember = PoolMember.in(dataFolder(), InstantSource.system()).isPresent();
    if (tokenFile != null) {
      return isMember && !Files.exists(tokenFile)
          ? Optional.empty()
          : Optional.of(source.readFrom(tokenFile));
    }
    return isMember ? source.ofEnvironment() : Optional.of(source.read());
  }

  private LauncherSettings settings() {
    OwnerPolicy policy =
        policyFile == null ? OwnerPolicy.conservative() : PolicyFile.read(policyFile);
    LauncherSettings standard = LauncherSettings.of(hostName(), dataFolder());
    return new LauncherSettings(
        standard.launcherId(),
        site,
        labels,
        slots == null ? standard.slots() : slots,
        memory,
        micros(reserve),
        signers.stream().map(Signer::new).collect(Collectors.toSet()),
        dedicated ? policy.with(Setting.DEDICATED, true, "--dedicated") : policy,
        standard.dataFolder(),
        standard.cacheBytes(),
        standard.microUnitsPerSecond());
  }

  private long micros(BigDecimal credits) {
    try {
      return credits.multiply(BigDecimal.valueOf(MICROS)).longValueExact();
    } catch (ArithmeticException e) {
      throw new ParameterException(
          spec.commandLine(),
          "--reserve is " + credits + ", expected credits with at most six decimals, below 9e12",
          e);
    }
  }

  Path dataFolder() {
    return data == null
        ? Path.of(System.getProperty("user.home"), ".gleaner", "worker")
        : data.toAbsolutePath();
  }

  private static String hostName() {
    try {
      String host = InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9._-]", "-");
      return host.substring(0, Math.min(64, host.length()));
    } catch (UnknownHostException e) {
      return "launcher";
    }
  }

  @Command(
      name = "status",
      description = "Says what the launcher of this machine does, and why.",
      mixinStandardHelpOptions = true)
  int status(@Option(names = "--json", description = "One JSON object.") boolean json) {
    StatusClient client = new StatusClient(dataFolder());
    say(json ? client.json() + "\n" : client.text());
    return 0;
  }

  void say(String text) {
    spec.commandLine().getOut().print(text);
    spec.commandLine().getOut().flush();
  }

  /** The version in the jar's manifest. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = WorkerCommand.class.getPackage().getImplementationVersion();
      return new String[] {"gleaner worker " + (version == null ? "(from classes)" : version)};
    }
  }
}
