-- What happened to the pool's security, chained: each line carries the hash of the one before
-- (io.gleaner.audit). Every writer locks the one row of security_log_head first. Never a secret.

create table security_log_head (
  id    smallint    primary key check (id = 1),
  line  bigint      not null,
  hash  varchar(64) not null
);

insert into security_log_head (id, line, hash)
values (1, 0, '0000000000000000000000000000000000000000000000000000000000000000');

create table security_log (
  line           bigint       not null primary key,
  at_millis      bigint       not null,
  deed           varchar(32)  not null,
  outcome        varchar(8)   not null,
  who            varchar(64)  not null,
  from_where     varchar(100) not null,
  subject        varchar(256) not null,
  detail         varchar(300) not null,
  previous_hash  varchar(64)  not null,
  hash           varchar(64)  not null
);

-- Signed from time to time: what a chain was when its line was the last.
create table chain_checkpoint (
  chain      varchar(16)  not null,
  line       bigint       not null,
  hash       varchar(64)  not null,
  at_millis  bigint       not null,
  signer     varchar(64)  not null,
  signature  varchar(128) not null,
  primary key (chain, line, signer)
);
