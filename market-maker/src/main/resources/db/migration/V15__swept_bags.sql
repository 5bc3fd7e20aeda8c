-- Whether nothing of a bag that ended is left in the space: a node that starts again goes on with
-- those that were not swept. Until now the space was in memory, so nothing was left by a restart.

ALTER TABLE bag ADD COLUMN swept BOOLEAN DEFAULT TRUE NOT NULL;
ALTER TABLE bag ALTER COLUMN swept SET DEFAULT FALSE;

CREATE INDEX bag_by_swept ON bag (swept);
