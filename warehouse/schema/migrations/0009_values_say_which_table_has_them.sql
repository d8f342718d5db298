-- The next build reads them.
ALTER TABLE comparison_rows ADD COLUMN section VARCHAR;
ALTER TABLE comparison_rows ADD COLUMN grid BIGINT;
