-- A name belongs to the member that had it first, for ever: the market knows members by name alone.

create table pool_name (
  name      varchar(64)  not null primary key,
  -- The URI of the member.
  identity  varchar(256) not null
);

insert into pool_name (name, identity)
  select f.name, min(c.identity)
  from (
    select regexp_replace(identity, '^.*/', '') as name, min(begins_millis) as begins_millis
    from pool_certificate
    group by regexp_replace(identity, '^.*/', '')
  ) f
  join pool_certificate c
    on regexp_replace(c.identity, '^.*/', '') = f.name and c.begins_millis = f.begins_millis
  group by f.name;
