-- In which order the tasks of a bag ended: 1, 2, 3..., so that a reader can go on where it stopped.

ALTER TABLE task_outcome ADD COLUMN place INTEGER DEFAULT 0 NOT NULL;

MERGE INTO task_outcome o
USING (
  SELECT job_id, task_index,
         ROW_NUMBER() OVER (PARTITION BY job_id ORDER BY ended_millis, task_index) AS place
  FROM task_outcome) numbered
ON o.job_id = numbered.job_id AND o.task_index = numbered.task_index
WHEN MATCHED THEN UPDATE SET place = numbered.place;

ALTER TABLE task_outcome ALTER COLUMN place DROP DEFAULT;

CREATE UNIQUE INDEX task_outcome_by_place ON task_outcome (job_id, place);
