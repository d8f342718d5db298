-- The words of a text as the search sees them: lower case, without accents, letters and digits only.
CREATE OR REPLACE MACRO internal.words_of(text) AS regexp_extract_all(lower(strip_accents(text)), '[\p{L}\p{M}\p{N}]+');
