package io.gleaner.cli;

import io.gleaner.api.GleanerException;
import io.gleaner.maker.Economy;
import io.gleaner.mechanism.ThinMarket;
import io.gleaner.node.Home;
import io.gleaner.node.Node;
import io.gleaner.node.NodeLookup;
import io.gleaner.node.NodeSettings;
import io.gleaner.node.NodeSettings.ConsoleProof;
import io.gleaner.node.NodeSettings.Keeping;
import io.gleaner.node.NodeSettings.Listening;
import io.gleaner.node.NodeSettings.Market;
import io.gleaner.node.NodeSettings.PassphraseSource;
import io.gleaner.node.ProductVersion;
import io.gleaner.storage.ServerSettings;
import io.gleaner.tls.NamedAddress;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** Starts a node and keeps it until Ctrl-C. */
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    description = {
      "Starts a node: the space, the gateway for launchers, the market-maker and the console.",
      "Launchers and programs show certificates of the pool, which this node issues; the first start",
      "founds the authority. So does the console beyond loopback; on loopback it speaks clear text",
      "unless --console-tls or a certificate of your own is named."
    })
final class UpCommand implements Callable<Integer> {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "where it keeps everything (default: GLEANER_HOME, else ~/.gleaner)")
  private Path data;

  @Option(
      names = "--gateway-host",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = "address for launchers, 0.0.0.0 for all of this machine (default: loopback)")
  private String gatewayHost;

  @Option(
      names = "--gateway-port",
      paramLabel = "PORT",
      converter = OptionValues.Port.class,
      defaultValue = "" + NodeSettings.GATEWAY_PORT,
      description = "port for launchers, 0 for any (default: ${DEFAULT-VALUE})")
  private int gatewayPort;

  @Option(
      names = "--console-host",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = {
        "address for browsers and commands, 0.0.0.0 for all of this machine; beyond loopback it",
        "speaks TLS (default: loopback)"
      })
  private String consoleHost;

  @Option(
      names = "--console-tls",
      description = "the console speaks TLS on loopback too, with a certificate of the pool")
  private boolean consoleTls;

  @Option(
      names = "--console-certificate",
      paramLabel = "FILE",
      description = "your own certificate for the console: PEM, those above it behind it")
  private Path consoleCertificate;

  @Option(
      names = "--console-key",
      paramLabel = "FILE",
      description = "its private key: PEM without a passphrase, readable by you only")
  private Path consoleKey;

  @Option(
      names = "--console-port",
      paramLabel = "PORT",
      converter = OptionValues.Port.class,
      defaultValue = "" + NodeSettings.CONSOLE_PORT,
      description = "port for browsers and commands, 0 for any (default: ${DEFAULT-VALUE})")
  private int consolePort;

  @Option(
      names = "--passphrase-file",
      paramLabel = "FILE",
      description = {
        "passphrase of the authority's key, outside the data folder (default: the systemd credential",
        "gleaner-authority, else one is made and lies beside the key)"
      })
  private Path passphraseFile;

  @Option(names = "--ask-passphrase", description = "ask for that passphrase instead")
  private boolean askPassphrase;

  @Option(
      names = "--economy",
      paramLabel = "NAME",
      converter = OptionValues.EconomyName.class,
      defaultValue = "market",
      description = "market or fair-share (default: ${DEFAULT-VALUE})")
  private Economy economy;

  @Option(
      names = "--in-memory",
      description = {
        "keep the space in memory: bags that are open end with the node, and are refunded when it",
        "starts again; without it they go on, also after a crash"
      })
  private boolean inMemory;

  @Mixin private LimitOptions limits;

  @Mixin private DatabaseOptions database;

  @Mixin private OpenIdOptions openId;

  @Option(
      names = "--lookup",
      arity = "0..1",
      fallbackValue = "gleaner",
      paramLabel = "POOL",
      converter = OptionValues.PoolName.class,
      description = {
        "also start a Jini lookup service, where launchers find this pool by jini://host:port",
        "(default name of the pool: gleaner)"
      })
  private String lookup;

  @Option(
      names = "--demo",
      description = "also start two launchers and render the bag examples/mandelbrot on them")
  private boolean demo;

  @Option(names = "--once", description = "with --demo: end when the bag is complete")
  private boolean once;

  @Option(names = "--json", description = "print the addresses as one line of JSON when ready")
  private boolean json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (once && !demo) {
      throw new CommandFailure(ExitCode.USAGE, "--once goes with --demo");
    }
    NodeSettings settings = settings();
    PrintStream out = json ? System.err : System.out;
    out.println("Gleaner " + ProductVersion.text() + ": a market for bags of tasks");
    Lifeline lifeline = new Lifeline();
    Node node = lifeline.keep(Node.start(settings, out::println));
    out.println(
        "console    " + node.addresses().console() + everywhere(consoleHost) + signInHint(node));
    out.println("gateway    " + node.addresses().gateway() + everywhere(gatewayHost));
    out.println("authority  " + node.members().authorities().get(0));
    if (lookup != null) {
      NodeLookup found = lifeline.keep(NodeLookup.start(lookup, lookupHost(), node, out::println));
      out.println("lookup     " + found.address());
    }
    if (json) {
      System.out.println(JsonMapper.shared().writeValueAsString(node.addresses()));
    }
    if (demo) {
      Optional<Path> picture = render(lifeline, node, out);
      if (picture.isEmpty()) {
        return ExitCode.INTERRUPTED.value;
      }
      if (once) {
        lifeline.close();
        System.out.println(picture.get());
        return ExitCode.OK.value;
      }
      out.println("picture    " + picture.get());
    } else {
      out.println(
          "add a launcher: gleaner worker --join "
              + node.addresses().gateway()
              + " --token-file "
              + settings.home().joinToken());
      out.println("(that token works once, for a day; 'gleaner invite' makes more)");
    }
    out.println("Ctrl-C ends it.");
    node.awaitSpaceEnded();
    if (lifeline.isInterrupted()) {
      return ExitCode.INTERRUPTED.value;
    }
    lifeline.close();
    throw new CommandFailure(
        ExitCode.FAILED,
        "the space of this node is over or goes on elsewhere, and the node has ended; "
            + settings.home().log()
            + " says why");
  }

  /** Runs the demo; empty if it was interrupted. */
  private static Optional<Path> render(Lifeline lifeline, Node node, PrintStream out)
      throws IOException, InterruptedException {
    try {
      return Optional.of(lifeline.keep(new Demo(node, root(), out)).run());
    } catch (CommandFailure | GleanerException e) {
      if (lifeline.isInterrupted()) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private NodeSettings settings() {
    if (gatewayPort == consolePort && gatewayPort != 0) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--gateway-port and --console-port are both "
              + gatewayPort
              + "; name two ports, or 0 for any");
    }
    Home home = Home.of(Optional.ofNullable(data));
    NodeSettings settings =
        NodeSettings.in(demo && data == null ? new Home(home.folder().resolve("demo")) : home)
            .with(new Listening(gatewayHost, gatewayPort, consoleHost, consolePort, consoleProof()))
            .with(passphrase())
            .with(
                demo
                    ? Market.of(economy, ThinMarket.CALL, Duration.ofSeconds(5))
                    : Market.of(economy, ThinMarket.POSTED, Duration.ofSeconds(60)))
            .with(keeping())
            .with(limits.limits());
    return openId.settings().map(settings::with).orElse(settings);
  }

  private ConsoleProof consoleProof() {
    if ((consoleCertificate == null) != (consoleKey == null)) {
      throw new CommandFailure(
          ExitCode.USAGE, "--console-certificate and --console-key go together; name both");
    }
    if (consoleCertificate != null) {
      return new ConsoleProof.Own(consoleCertificate, consoleKey);
    }
    return consoleTls ? new ConsoleProof.OfPool() : new ConsoleProof.Usual();
  }

  private PassphraseSource passphrase() {
    if (passphraseFile != null && askPassphrase) {
      throw new CommandFailure(
          ExitCode.USAGE, "--passphrase-file and --ask-passphrase exclude each other; name one");
    }
    return new PassphraseSource(Optional.ofNullable(passphraseFile), askPassphrase);
  }

  /** Where the console is, as long as that is loopback: nothing protects a lookup service. */
  private String lookupHost() {
    return NamedAddress.of("console", consoleHost).isLoopback() ? consoleHost : NodeLookup.LOOPBACK;
  }

  private static String everywhere(String host) {
    return host.equals("0.0.0.0") || host.equals("::")
        ? "  (and every other address of this machine)"
        : "";
  }

  private Keeping keeping() {
    Optional<ServerSettings> server = database.settings();
    if (demo && server.isPresent()) {
      throw new CommandFailure(
          ExitCode.USAGE, "--database does not go with --demo, which keeps its own folder");
    }
    Keeping keeping = server.map(Keeping::on).orElseGet(Keeping::inFolder);
    // Each demo begins anew: bags of an earlier one that was killed would compete with it.
    return demo || inMemory ? keeping.withSpaceInMemory() : keeping;
  }

  private static String signInHint(Node node) {
    return node.firstPassword()
        .map(file -> "  (sign in as " + Node.OPERATOR + ", first password in " + file + ")")
        .orElse("");
  }

  private static Path root() {
    return Optional.ofNullable(System.getProperty("gleaner.root"))
        .map(Path::of)
        .orElseThrow(
            () ->
                new CommandFailure(
                    ExitCode.FAILED, "start the demo by the script 'gleaner' of a checkout"));
  }
}
