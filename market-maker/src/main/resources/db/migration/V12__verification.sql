-- Results that were taken from the space and are not yet decided or not yet paid: what each launcher
-- says it found. The first answer for a replica counts; a task's verdict follows from its rows alone,
-- so a result that is delivered again is judged and paid the same again.

CREATE TABLE verification_claim (
  job_id          VARCHAR(100) NOT NULL,
  task_index      INTEGER      NOT NULL,
  replica         INTEGER      NOT NULL,
  attempt         INTEGER      NOT NULL,
  launcher_id     VARCHAR(200) NOT NULL,
  owner           VARCHAR(100) NOT NULL,
  output_digest   VARCHAR(64)  NOT NULL,
  output_bytes    BIGINT       NOT NULL CHECK (output_bytes >= 0),
  micro_units     BIGINT       NOT NULL CHECK (micro_units >= 0),
  micros_per_unit BIGINT       NOT NULL CHECK (micros_per_unit >= 0),
  elapsed_millis  BIGINT       NOT NULL CHECK (elapsed_millis >= 0),
  PRIMARY KEY (job_id, task_index, replica)
);
