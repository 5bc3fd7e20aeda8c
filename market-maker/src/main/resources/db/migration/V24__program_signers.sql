-- Keys whose signatures of programs the pool vouches for, and what it has revoked: a key, or the
-- digest of one signed program. The space shows launchers the same.

CREATE TABLE program_signer (
  subject      VARCHAR(64) PRIMARY KEY,
  owner        VARCHAR(64) NOT NULL,
  revoked      BOOLEAN     NOT NULL,
  since_millis BIGINT      NOT NULL
);

CREATE INDEX program_signer_by_owner ON program_signer (owner);
