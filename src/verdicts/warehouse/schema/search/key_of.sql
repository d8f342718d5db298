-- A name folded: SmolLM3, smol-lm 3 and SMOLLM-3 are smollm3.
CREATE OR REPLACE MACRO search.key_of(name) AS regexp_replace(strip_accents(lower(name)), '[^\p{L}\p{M}\p{N}]+', '', 'g');
