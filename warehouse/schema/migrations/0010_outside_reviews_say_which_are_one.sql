-- The next build gives them: another NORMALIZER_VERSION makes all rows anew.
ALTER TABLE outside_reviews ADD COLUMN review_id VARCHAR;
