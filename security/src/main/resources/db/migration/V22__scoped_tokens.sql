-- What an API token may do, and what its owner calls it.
alter table api_token add column scope varchar(8) default 'FULL' not null;
alter table api_token add column label varchar(64) default '' not null;

-- Raised with a password or roles: sessions that began before end, on every node.
alter table identity_user add column version bigint default 0 not null;
