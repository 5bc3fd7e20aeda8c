-- A join token is used by one key: the member that this key became is written beside the token.

alter table join_token add column key_fingerprint char(64);
alter table join_token add column member_id varchar(64);
alter table join_token add column used_millis bigint;

update join_token set role_name = 'device' where role_name = 'launcher';
