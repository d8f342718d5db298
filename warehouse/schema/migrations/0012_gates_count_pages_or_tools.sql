-- Tests of earlier versions counted pages. A file of before the gates has no such table yet.
ALTER TABLE IF EXISTS gate_measures ADD COLUMN unit VARCHAR DEFAULT 'page';
ALTER TABLE IF EXISTS gate_measures ALTER COLUMN unit SET NOT NULL;
ALTER TABLE IF EXISTS gate_measures ALTER COLUMN unit DROP DEFAULT;
