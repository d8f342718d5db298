-- The search index is made anew at the next publication, in the schema search.
DROP TABLE IF EXISTS internal.search_postings;
DROP TABLE IF EXISTS internal.search_reviews;
DROP MACRO IF EXISTS internal.words_of;
-- The next build reads it.
ALTER TABLE tools ADD COLUMN vendor VARCHAR;
ALTER TABLE tools ADD COLUMN vendor_evidence VARCHAR;
