-- When the last input came that the image of a cell shows: milliseconds since 1970.

ALTER TABLE partition_owner ADD COLUMN image_millis BIGINT DEFAULT 0 NOT NULL;
