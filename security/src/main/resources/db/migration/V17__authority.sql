-- Who is who in the pool (io.gleaner.authority): its authorities, the certificates that they issued,
-- and the revocations. Instants are milliseconds since 1970.

-- Raised, first of all, by every transaction that changes what is trusted.
create table pool_trust (
  one_row  integer not null primary key,
  version  bigint  not null
);

insert into pool_trust (one_row, version) values (1, 0);

create table pool_authority (
  fingerprint     char(64) not null primary key,
  -- Its own certificate, then those that its predecessors gave it, in DER form.
  certificates    bytea    not null,
  -- Of those that are not retired, exactly one issues.
  issuing         boolean  not null,
  since_millis    bigint   not null,
  retired_millis  bigint
);

-- Encrypted keys (PKCS#8), where several nodes share this database; else they are files.
create table pool_authority_key (
  fingerprint  char(64) not null primary key,
  sealed       bytea    not null
);

create table pool_certificate (
  serial           varchar(32)  not null primary key,
  identity         varchar(256) not null,
  key_fingerprint  char(64)     not null,
  authority        char(64)     not null references pool_authority (fingerprint),
  begins_millis    bigint       not null,
  ends_millis      bigint       not null,
  certificate      bytea        not null
);

create index pool_certificate_by_identity on pool_certificate (identity, key_fingerprint);
create index pool_certificate_by_end on pool_certificate (authority, ends_millis);

create table pool_revocation (
  version         bigint       not null primary key,
  kind            varchar(16)  not null,
  -- A serial number or the URI of an identity.
  subject         varchar(256) not null unique,
  revoked_millis  bigint       not null,
  reason          varchar(200) not null
);
