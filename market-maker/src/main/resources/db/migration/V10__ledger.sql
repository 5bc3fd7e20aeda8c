-- Double entry in integer micro-credits. Every writer locks the one row of ledger_head first, so
-- postings are numbered without a gap and each carries the hash of its predecessor.

CREATE TABLE ledger_head (
  id         SMALLINT    PRIMARY KEY CHECK (id = 1),
  posting    BIGINT      NOT NULL,
  hash       VARCHAR(64) NOT NULL,
  -- Leadership of the market-maker; a batch under a smaller one is refused.
  epoch      BIGINT      NOT NULL CHECK (epoch >= 0)
);

INSERT INTO ledger_head (id, posting, hash, epoch)
VALUES (1, 0, '0000000000000000000000000000000000000000000000000000000000000000', 0);

CREATE TABLE ledger_account (
  name           VARCHAR(120) PRIMARY KEY,
  balance_micros BIGINT       NOT NULL,
  CONSTRAINT ledger_never_negative CHECK (balance_micros >= 0 OR name = 'pool/issued')
);

CREATE TABLE ledger_posting (
  id            BIGINT       PRIMARY KEY,
  kind          VARCHAR(16)  NOT NULL
    CHECK (kind IN ('GRANT', 'ESCROW', 'SETTLE', 'FEE', 'REFUND')),
  -- What caused it: the same cause moves money once.
  cause         VARCHAR(200) NOT NULL CONSTRAINT ledger_once UNIQUE,
  -- What the caller asked for; a settlement may move less, when the escrow holds less.
  asked_micros  BIGINT       NOT NULL CHECK (asked_micros >= 0),
  at_micros     BIGINT       NOT NULL,
  previous_hash VARCHAR(64)  NOT NULL,
  hash          VARCHAR(64)  NOT NULL
);

CREATE TABLE ledger_line (
  posting        BIGINT       NOT NULL REFERENCES ledger_posting (id),
  -- 0 pays, 1 receives.
  side           SMALLINT     NOT NULL CHECK (side IN (0, 1)),
  account        VARCHAR(120) NOT NULL REFERENCES ledger_account (name),
  micros         BIGINT       NOT NULL CHECK ((side = 0 AND micros <= 0) OR (side = 1 AND micros >= 0)),
  balance_micros BIGINT       NOT NULL,
  PRIMARY KEY (posting, side)
);

CREATE INDEX ledger_line_of_account ON ledger_line (account, posting);

CREATE TABLE ledger_escrow (
  job_id    VARCHAR(100) PRIMARY KEY,
  user_name VARCHAR(100) NOT NULL,
  state     VARCHAR(16)  NOT NULL CHECK (state IN ('HELD', 'REFUNDED')),
  -- Why it was closed; empty while it is held.
  reason    VARCHAR(500) NOT NULL
);
