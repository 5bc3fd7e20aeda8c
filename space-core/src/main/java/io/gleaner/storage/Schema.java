package io.gleaner.storage;

/** Whose tables: each has migrations and a history of its own, so two may share a database. */
public enum Schema {
  /** What a node keeps beside the space: users, ledger, bags. */
  NODE("node", "classpath:db/migration", "flyway_schema_history"),
  /** The journal of the space. */
  SPACE("space", "classpath:db/space", "space_schema_history");

  private final String text;
  private final String migrations;
  private final String history;

  Schema(String text, String migrations, String history) {
    this.text = text;
    this.migrations = migrations;
    this.history = history;
  }

  String text() {
    return text;
  }

  String migrations() {
    return migrations;
  }

  String history() {
    return history;
  }
}
