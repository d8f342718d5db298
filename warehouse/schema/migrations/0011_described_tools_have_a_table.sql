-- The next build moves what only describes out of compared_tools: another NORMALIZER_VERSION makes all rows anew.
ALTER TABLE outside_reviews ADD COLUMN tool_claim VARCHAR;
