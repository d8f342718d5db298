-- The next build reads them.
ALTER TABLE compared_tools ADD COLUMN rank BIGINT;
ALTER TABLE compared_tools ADD COLUMN best_for VARCHAR;
