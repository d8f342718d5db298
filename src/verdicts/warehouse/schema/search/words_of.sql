-- The words of a text as the search sees them: lower case, without accents, letters and digits only.
CREATE OR REPLACE MACRO search.words_of(text) AS regexp_extract_all(strip_accents(lower(text)), '[\p{L}\p{M}\p{N}]+');
