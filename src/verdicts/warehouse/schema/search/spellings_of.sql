-- The words of a text in lower case, with their accents.
CREATE OR REPLACE MACRO search.spellings_of(text) AS regexp_extract_all(lower(text), '[\p{L}\p{M}\p{N}]+');
