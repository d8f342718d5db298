-- Tests of earlier versions counted pages.
ALTER TABLE gate_measures ADD COLUMN unit VARCHAR DEFAULT 'page';
ALTER TABLE gate_measures ALTER COLUMN unit SET NOT NULL;
ALTER TABLE gate_measures ALTER COLUMN unit DROP DEFAULT;
