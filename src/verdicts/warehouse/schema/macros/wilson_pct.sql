-- An end of the interval of a share, percent (Wilson 1927); z of -1.96 and 1.96: in 19 of 20 cases the true share is between.
CREATE OR REPLACE MACRO wilson_pct(hits, tries, z) AS
round(100 * (hits + z * z / 2 + z * sqrt(hits * (tries - hits) / nullif(tries, 0) + z * z / 4)) / (tries + z * z), 6);
