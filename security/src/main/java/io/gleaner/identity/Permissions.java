package io.gleaner.identity;

import static io.gleaner.identity.Party.APPLICATION;
import static io.gleaner.identity.Party.AUDITOR;
import static io.gleaner.identity.Party.BROWSER;
import static io.gleaner.identity.Party.DEVICE;
import static io.gleaner.identity.Party.OPERATOR;
import static io.gleaner.identity.Party.OWNER;
import static io.gleaner.identity.Party.SUBMITTER;
import static io.gleaner.identity.Party.USER;
import static io.gleaner.identity.Permissions.Action.CHANGE;
import static io.gleaner.identity.Permissions.Action.HEAR;
import static io.gleaner.identity.Permissions.Action.READ;
import static io.gleaner.identity.Permissions.Action.TAKE;
import static io.gleaner.identity.Permissions.Action.WRITE;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/**
 * Who may do what: one table for what comes to the gateway and to the console. What is not in it is
 * refused. Stateless; safe for all threads.
 */
public final class Permissions {
  /** The space of the market's own tuples. */
  public static final String MARKET_SPACE = "market";

  /** What is done to a thing. */
  public enum Action {
    /** Read or list. */
    READ,
    /** Be told of each that comes. */
    HEAR,
    /** Write or make a new one. */
    WRITE,
    /** Take out of a space. */
    TAKE,
    /** Change, end or commit. */
    CHANGE
  }

  /** One condition, and how a sentence names it. */
  private record Rule(String demand, BiPredicate<Principal, Thing> holds) {}

  private record Row(Party party, Set<Action> actions, String kind, List<Rule> rules) {}

  private static final List<Row> TABLE =
      List.of(
          // A device: its own presence, the contracts that name it, and the tasks they give it.
          row(DEVICE, of(READ), "OfferEntry", inMarket(), itself("launcherId")),
          row(DEVICE, of(TAKE), "OfferEntry", inMarket(), itself("launcherId"), alone()),
          row(
              DEVICE,
              of(WRITE),
              "OfferEntry",
              inMarket(),
              itself("launcherId"),
              own("owner"),
              alone(),
              wasmFromBrowsers()),
          row(DEVICE, of(READ), "StatusEntry", inMarket(), itself("launcherId")),
          row(DEVICE, of(TAKE), "StatusEntry", inMarket(), itself("launcherId"), alone()),
          row(
              DEVICE,
              of(WRITE),
              "StatusEntry",
              inMarket(),
              itself("launcherId"),
              own("owner"),
              alone()),
          row(DEVICE, of(READ), "ContractEntry", inMarket(), itself("launcherId")),
          row(DEVICE, of(READ), "NoticeEntry", inMarket(), itself("launcherId"), briefly()),
          row(DEVICE, of(READ), "SignerEntry", inMarket(), briefly()),
          row(DEVICE, of(READ), "JobEntry", inMarket(), onceContracted("jobId")),
          row(DEVICE, of(READ), "TaskEntry", inMarket(), contracted("jobId"), briefly()),
          row(
              DEVICE,
              of(TAKE),
              "TaskEntry",
              inMarket(),
              contracted("jobId"),
              inTransaction(),
              briefly()),
          row(DEVICE, of(WRITE), "TaskEntry", inMarket(), ofTakenTask()),
          row(
              DEVICE,
              of(READ, WRITE, TAKE),
              "AttemptEntry",
              inMarket(),
              itself("launcherId"),
              onceContracted("jobId")),
          row(DEVICE, of(READ), "CheckpointEntry", inMarket(), onceContracted("jobId")),
          row(DEVICE, of(TAKE), "CheckpointEntry", inMarket(), onceContracted("jobId"), alone()),
          row(
              DEVICE,
              of(WRITE),
              "CheckpointEntry",
              inMarket(),
              itself("launcherId"),
              onceContracted("jobId"),
              alone()),
          row(DEVICE, of(WRITE), "ResultEntry", inMarket(), itself("launcherId"), ofTakenTask()),
          row(DEVICE, of(CHANGE), "lease"),
          row(DEVICE, of(WRITE, CHANGE), "transaction"),

          // An application: all that a space can do, in the spaces of its owner.
          row(APPLICATION, of(READ, HEAR, WRITE, TAKE), "entry", inOwnSpace()),
          row(APPLICATION, of(CHANGE), "lease"),
          row(APPLICATION, of(WRITE, CHANGE), "transaction"),
          row(APPLICATION, of(WRITE, CHANGE), "foreign transaction"),

          // Users, over REST and on the pages.
          row(USER, of(READ), Thing.BAG, own("owner")),
          row(USER, of(READ), Thing.LAUNCHER, own("owner")),
          row(USER, of(READ), Thing.SIGNER),
          row(SUBMITTER, of(WRITE, CHANGE), Thing.SIGNER, own("owner")),
          row(OPERATOR, of(CHANGE), Thing.SIGNER),
          row(SUBMITTER, of(WRITE, CHANGE), Thing.BAG, own("owner")),
          row(OPERATOR, of(READ, CHANGE), Thing.BAG),
          row(OPERATOR, of(WRITE), Thing.BAG, own("owner")),
          row(OPERATOR, of(READ), Thing.LAUNCHER),
          row(AUDITOR, of(READ), Thing.BAG),
          row(AUDITOR, of(READ), Thing.LAUNCHER),
          row(USER, of(READ, CHANGE), Thing.ACCOUNT, own("owner")),
          row(USER, of(READ, WRITE, CHANGE), Thing.API_TOKEN, own("owner")),
          row(OPERATOR, of(READ, WRITE, CHANGE), Thing.ACCOUNT),
          row(OPERATOR, of(CHANGE), Thing.ROLES),
          row(OPERATOR, of(READ, WRITE, CHANGE), Thing.API_TOKEN),
          row(AUDITOR, of(READ), Thing.ACCOUNT),
          row(AUDITOR, of(READ), Thing.API_TOKEN),
          row(OPERATOR, of(READ), Thing.AUDIT),
          row(AUDITOR, of(READ), Thing.AUDIT),

          // Who is in the pool: those who lend machines invite and end their own.
          row(OWNER, of(READ, CHANGE), Thing.MEMBER, own("owner")),
          row(OWNER, of(WRITE), Thing.MEMBER, own("owner"), lending()),
          row(OPERATOR, of(READ, WRITE, CHANGE), Thing.MEMBER),
          row(AUDITOR, of(READ), Thing.MEMBER),
          row(USER, of(READ), Thing.AUTHORITY),
          row(OPERATOR, of(CHANGE), Thing.AUTHORITY));

  private Permissions() {}

  /** The sentence that refuses it, or empty if it is allowed. */
  public static Optional<String> refusal(Principal who, Action action, Thing what) {
    Optional<String> demand = Optional.empty();
    for (Row row : TABLE) {
      if (who.parties().contains(row.party)
          && row.actions.contains(action)
          && row.kind.equals(what.kind())) {
        demand =
            row.rules.stream()
                .filter(rule -> !rule.holds.test(who, what))
                .findFirst()
                .map(Rule::demand);
        if (demand.isEmpty()) {
          return Optional.empty();
        }
      }
    }
    return Optional.of(sentence(who, action, what, demand));
  }

  /** Whether it is allowed. */
  public static boolean allow(Principal who, Action action, Thing what) {
    return refusal(who, action, what).isEmpty();
  }

  /** As above, for who comes with a token that may do a part of it. */
  public static Optional<String> refusal(
      Principal who, TokenScope scope, Action action, Thing what) {
    return scope.allows(action, what)
        ? refusal(who, action, what)
        : Optional.of(
            who
                + "'s token may not "
                + lower(action)
                + " "
                + what.kind()
                + ": it is for '"
                + lower(scope)
                + "' only; use another one");
  }

  private static String sentence(
      Principal who, Action action, Thing what, Optional<String> demand) {
    String parties =
        who.parties().stream().sorted().map(Permissions::lower).collect(Collectors.joining(", "));
    String asked = lower(action) + " " + what.kind();
    return who
        + " ("
        + parties
        + ") may not "
        + asked
        + demand.map(only -> " but " + only).orElse("; nothing allows that to it");
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static Row row(Party party, Set<Action> actions, String kind, Rule... rules) {
    return new Row(party, actions, kind, Arrays.asList(rules));
  }

  private static Set<Action> of(Action first, Action... more) {
    return EnumSet.of(first, more);
  }

  private static Rule inMarket() {
    return new Rule(
        "in the space '" + MARKET_SPACE + "'",
        (who, what) -> what.field(SPACE).filter(MARKET_SPACE::equals).isPresent());
  }

  private static Rule inOwnSpace() {
    return new Rule(
        "in spaces named after its owner, as in 'owner/name'",
        (who, what) ->
            what.field(SPACE)
                .filter(space -> space.toString().startsWith(who.owner() + "/"))
                .isPresent());
  }

  private static Rule inTransaction() {
    return new Rule("in a transaction", (who, what) -> what.field(TRANSACTION).isPresent());
  }

  /** What a transaction hides cannot be counted. */
  private static Rule alone() {
    return new Rule("outside of transactions", (who, what) -> what.field(TRANSACTION).isEmpty());
  }

  private static Rule briefly() {
    return new Rule(
        "waiting for at most " + LONGEST_WAIT_MILLIS + " ms",
        (who, what) ->
            what.field(WAIT)
                .filter(wait -> wait instanceof Long millis && millis <= LONGEST_WAIT_MILLIS)
                .isPresent());
  }

  private static Rule itself(String field) {
    return new Rule(
        "with its own name as " + field,
        (who, what) -> what.field(field).filter(who.id()::equals).isPresent());
  }

  private static Rule own(String field) {
    return new Rule(
        "with its user's name as " + field,
        (who, what) -> what.field(field).filter(who.owner()::equals).isPresent());
  }

  private static Rule lending() {
    return new Rule(
        "as a device or a browser",
        (who, what) -> what.field("role").filter(LENDING::contains).isPresent());
  }

  private static Rule wasmFromBrowsers() {
    return new Rule(
        "with WASM as its only kind, since it is a browser",
        (who, what) -> !who.parties().contains(BROWSER) || what.field(WASM_ONLY).isPresent());
  }

  private static Rule contracted(String field) {
    return new Rule(
        "with a " + field + " that it holds a contract for",
        (who, what) -> what.field(field).filter(what::isContracted).isPresent());
  }

  private static Rule onceContracted(String field) {
    return new Rule(
        "with a " + field + " that it has had a contract for",
        (who, what) -> what.field(field).filter(what::wasContracted).isPresent());
  }

  private static Rule ofTakenTask() {
    return new Rule(
        "once, in the transaction that took exactly this task, replica and attempt",
        (who, what) -> what.answersTakenTask());
  }

  /** The field of a tuple that names its space. */
  public static final String SPACE = "its space";

  /** The field of a tuple with the milliseconds that it is waited for. */
  public static final String WAIT = "its wait";

  /** The field of an offer that is there if it is for WebAssembly and nothing else. */
  public static final String WASM_ONLY = "its only kind is WASM";

  private static final long LONGEST_WAIT_MILLIS = 5_000;
  private static final Set<Object> LENDING = Set.of("device", "browser");

  /** The field of a tuple that is there if it is asked for in a transaction. */
  public static final String TRANSACTION = "its transaction";
}
