package io.gleaner.identity;

import java.util.Map;
import java.util.Optional;

/** What somebody wants to do something to, as far as {@link Permissions} ask. */
public interface Thing {
  /** The kind of a bag of tasks. */
  String BAG = "bag";

  /** The kind of a machine that lends its time. */
  String LAUNCHER = "launcher";

  /** The kind of a user's account: its name, roles and password. */
  String ACCOUNT = "account";

  /** The kind of what a user may be. */
  String ROLES = "roles";

  /** The kind of a token of a user's programs. */
  String API_TOKEN = "API token";

  /** The kind of the security log and of checks of it and of the ledger. */
  String AUDIT = "audit";

  /** The kind of a key that signs programs. */
  String SIGNER = "signer";

  /** The kind of a machine or program with a certificate of the pool. */
  String MEMBER = "member";

  /** The kind of the pool's certificate authority. */
  String AUTHORITY = "authority";

  /** Its kind, as the table names it. */
  String kind();

  /** The text or number in a field; empty if it is open or unknown. */
  Optional<Object> field(String name);

  /** Whether the device holds a contract for the job now. */
  default boolean isContracted(Object jobId) {
    return false;
  }

  /** Whether the device had a contract for the job since it came. */
  default boolean wasContracted(Object jobId) {
    return false;
  }

  /**
   * Whether this answers a task that the device took in the same transaction, as its result or as
   * the task itself, and is the first to do so.
   */
  default boolean answersTakenTask() {
    return false;
  }

  /** Something that only its owner tells from others of its kind. */
  static Thing of(String kind, String owner) {
    return new Plain(kind, Map.of("owner", owner));
  }

  /** A member of the pool, or somebody who is to be one. */
  static Thing member(String owner, String role) {
    return new Plain(MEMBER, Map.of("owner", owner, "role", role));
  }

  /** Everything of a kind, whoever owns it. */
  static Thing every(String kind) {
    return new Plain(kind, Map.of());
  }

  /** A thing that is known by some of its fields. */
  record Plain(String kind, Map<String, Object> fields) implements Thing {

    public Plain {
      fields = Map.copyOf(fields);
    }

    @Override
    public Optional<Object> field(String name) {
      return Optional.ofNullable(fields.get(name));
    }
  }
}
