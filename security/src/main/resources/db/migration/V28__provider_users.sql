-- Users who sign in by an OpenID provider. Their identity is issuer and subject; the name is what
-- they were first called, and their password hash is empty, which no password has.
create table identity_provider_user (
  issuer     varchar(500) not null,
  subject    varchar(255) not null,
  user_name  varchar(64)  not null unique references identity_user (name) on delete cascade,
  primary key (issuer, subject)
);
