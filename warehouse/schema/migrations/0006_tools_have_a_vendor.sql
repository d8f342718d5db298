-- The next build reads it.
ALTER TABLE tools ADD COLUMN vendor VARCHAR;
ALTER TABLE tools ADD COLUMN vendor_evidence VARCHAR;
