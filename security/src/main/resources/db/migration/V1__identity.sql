-- Who may do what: users with their roles, the tokens of their programs, and the tokens with which
-- launchers join. Tokens and passwords are here as hashes only. Instants are milliseconds since 1970.

create table identity_user (
  name            varchar(64)  not null primary key,
  password_hash   varchar(255) not null,
  created_millis  bigint       not null
);

create table identity_user_role (
  user_name  varchar(64) not null references identity_user (name) on delete cascade,
  role_name  varchar(32) not null,
  primary key (user_name, role_name)
);

create table api_token (
  token_hash      char(64)    not null primary key,
  user_name       varchar(64) not null references identity_user (name) on delete cascade,
  issued_millis   bigint      not null,
  expires_millis  bigint      not null
);

create index api_token_by_user on api_token (user_name);

create table join_token (
  token_hash      char(64)    not null primary key,
  role_name       varchar(32) not null,
  owner_name      varchar(64) not null,
  issued_millis   bigint      not null,
  expires_millis  bigint      not null
);

create index join_token_by_owner on join_token (owner_name);
