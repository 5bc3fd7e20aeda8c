-- Bags of tasks with their counters, how their tasks ended, and what is to be told to whom.
-- Instants are milliseconds since 1970, money is micro-credits.

CREATE TABLE bag (
  job_id           VARCHAR(64)   PRIMARY KEY,
  owner            VARCHAR(100)  NOT NULL,
  idempotency_key  VARCHAR(200)  NOT NULL,
  -- SHA-256 over the description and the files: what the key stands for.
  content_digest   VARCHAR(64)   NOT NULL,
  name             VARCHAR(100)  NOT NULL,
  description      TEXT          NOT NULL,
  files            TEXT          NOT NULL,
  state            VARCHAR(16)   NOT NULL,
  tasks            INTEGER       NOT NULL CHECK (tasks >= 1),
  completed        INTEGER       NOT NULL CHECK (completed >= 0),
  failed           INTEGER       NOT NULL CHECK (failed >= 0),
  budget_micros    BIGINT        NOT NULL CHECK (budget_micros >= 0),
  spent_micros     BIGINT        NOT NULL CHECK (spent_micros >= 0),
  submitted_millis BIGINT        NOT NULL,
  ended_millis     BIGINT,
  note             VARCHAR(1000) NOT NULL,
  CONSTRAINT bag_key_once UNIQUE (owner, idempotency_key),
  CONSTRAINT bag_counts CHECK (completed + failed <= tasks)
);

CREATE INDEX bag_by_owner ON bag (owner, submitted_millis);
CREATE INDEX bag_by_submission ON bag (submitted_millis);
CREATE INDEX bag_by_state ON bag (state);

CREATE TABLE task_outcome (
  job_id              VARCHAR(64)   NOT NULL REFERENCES bag (job_id),
  task_index          INTEGER       NOT NULL,
  outcome             VARCHAR(16)   NOT NULL,
  launcher_id         VARCHAR(200)  NOT NULL,
  output_digest       VARCHAR(64),
  output_bytes        BIGINT        NOT NULL,
  metered_micro_units BIGINT        NOT NULL,
  paid_micros         BIGINT        NOT NULL,
  elapsed_millis      BIGINT        NOT NULL,
  reason              VARCHAR(2000) NOT NULL,
  log_tail            TEXT          NOT NULL,
  ended_millis        BIGINT        NOT NULL,
  PRIMARY KEY (job_id, task_index)
);

-- Written in the transaction of what happened; the row is there once, whatever is sent.
CREATE TABLE bag_notice (
  job_id        VARCHAR(64)   NOT NULL REFERENCES bag (job_id),
  event         VARCHAR(16)   NOT NULL,
  channel       VARCHAR(16)   NOT NULL,
  target        VARCHAR(2000) NOT NULL,
  body          TEXT          NOT NULL,
  state         VARCHAR(16)   NOT NULL,
  tries         INTEGER       NOT NULL,
  due_millis    BIGINT        NOT NULL,
  last_error    VARCHAR(1000) NOT NULL,
  PRIMARY KEY (job_id, event, channel)
);

CREATE INDEX bag_notice_due ON bag_notice (state, due_millis);
