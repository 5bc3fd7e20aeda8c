-- What devices signed of their results (io.gleaner.signing.ResultStatement), written with the claim.
-- Kept when the claim goes: a receipt can be checked as long as there is its certificate.

CREATE TABLE result_signature (
  job_id      VARCHAR(100) NOT NULL,
  task_index  INTEGER      NOT NULL,
  replica     INTEGER      NOT NULL,
  attempt     INTEGER      NOT NULL,
  launcher_id VARCHAR(200) NOT NULL,
  sha256      VARCHAR(64)  NOT NULL,
  certificate VARCHAR(32)  NOT NULL,
  signature   BYTEA        NOT NULL,
  PRIMARY KEY (job_id, task_index, replica, attempt, launcher_id)
);
