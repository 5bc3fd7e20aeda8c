-- What each contract says about pay, written before the contract can be seen: a result finds its
-- price though the contract has ended or the node was restarted. Kept while the bag is open.

CREATE TABLE agreement (
  contract_id     VARCHAR(100) PRIMARY KEY,
  launcher_id     VARCHAR(200) NOT NULL,
  owner           VARCHAR(100) NOT NULL,
  job_id          VARCHAR(100) NOT NULL,
  micros_per_unit BIGINT       NOT NULL CHECK (micros_per_unit >= 0)
);

CREATE INDEX agreement_by_job ON agreement (job_id);
