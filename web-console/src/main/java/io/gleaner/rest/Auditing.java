package io.gleaner.rest;

import io.gleaner.audit.Checkpoint;
import io.gleaner.audit.Notary;
import io.gleaner.audit.SecurityLog;
import javax.sql.DataSource;

/**
 * What is looked at to see whether anything was changed.
 *
 * @param database of the ledger and the log
 * @param notary signs the ends; its newest {@link Checkpoint checkpoints} lie outside the database
 */
public record Auditing(DataSource database, SecurityLog log, Notary notary) {}
