-- Who made a token: whoever may not invite any more when it is used has invited nobody. Null is the
-- node itself.

alter table join_token add column invited_by varchar(64);
