-- Each row says which load brought it. Of rows that stand already no more is known than that the last load left them so,
-- and a file of crawls alone never saw one. DuckDB refuses NOT NULL after an UPDATE (`Cannot create index with outstanding
-- updates`), hence the default that comes and goes.
INSERT INTO loads
SELECT 'before-loads', min(started_at), 0, 0, 0, '0'
FROM crawls
WHERE NOT EXISTS (FROM loads)
HAVING count(*) > 0;

SET VARIABLE last_load = (SELECT arg_max(load_id, loaded_at) FROM loads);

ALTER TABLE appearances ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE appearances ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE appearances ALTER COLUMN load_id DROP DEFAULT;
UPDATE appearances SET load_id = getvariable('last_load');

ALTER TABLE attribution_evidence ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE attribution_evidence ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE attribution_evidence ALTER COLUMN load_id DROP DEFAULT;
UPDATE attribution_evidence SET load_id = getvariable('last_load');

ALTER TABLE compared_tools ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE compared_tools ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE compared_tools ALTER COLUMN load_id DROP DEFAULT;
UPDATE compared_tools SET load_id = getvariable('last_load');

ALTER TABLE comparison_rows ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE comparison_rows ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE comparison_rows ALTER COLUMN load_id DROP DEFAULT;
UPDATE comparison_rows SET load_id = getvariable('last_load');

ALTER TABLE crawls ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE crawls ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE crawls ALTER COLUMN load_id DROP DEFAULT;
UPDATE crawls SET load_id = getvariable('last_load');

ALTER TABLE discrepancies ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE discrepancies ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE discrepancies ALTER COLUMN load_id DROP DEFAULT;
UPDATE discrepancies SET load_id = getvariable('last_load');

ALTER TABLE documents ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE documents ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE documents ALTER COLUMN load_id DROP DEFAULT;
UPDATE documents SET load_id = getvariable('last_load');

ALTER TABLE fetches ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE fetches ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE fetches ALTER COLUMN load_id DROP DEFAULT;
UPDATE fetches SET load_id = getvariable('last_load');

ALTER TABLE lookalikes ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE lookalikes ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE lookalikes ALTER COLUMN load_id DROP DEFAULT;
UPDATE lookalikes SET load_id = getvariable('last_load');

ALTER TABLE outside_reviews ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE outside_reviews ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE outside_reviews ALTER COLUMN load_id DROP DEFAULT;
UPDATE outside_reviews SET load_id = getvariable('last_load');

ALTER TABLE pages ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE pages ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE pages ALTER COLUMN load_id DROP DEFAULT;
UPDATE pages SET load_id = getvariable('last_load');

ALTER TABLE price_history ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE price_history ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE price_history ALTER COLUMN load_id DROP DEFAULT;
UPDATE price_history SET load_id = getvariable('last_load');

ALTER TABLE pricing_tiers ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE pricing_tiers ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE pricing_tiers ALTER COLUMN load_id DROP DEFAULT;
UPDATE pricing_tiers SET load_id = getvariable('last_load');

ALTER TABLE products ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE products ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE products ALTER COLUMN load_id DROP DEFAULT;
UPDATE products SET load_id = getvariable('last_load');

ALTER TABLE rejects ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE rejects ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE rejects ALTER COLUMN load_id DROP DEFAULT;
UPDATE rejects SET load_id = getvariable('last_load');

ALTER TABLE reviews ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE reviews ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE reviews ALTER COLUMN load_id DROP DEFAULT;
UPDATE reviews SET load_id = getvariable('last_load');

ALTER TABLE tool_aliases ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE tool_aliases ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE tool_aliases ALTER COLUMN load_id DROP DEFAULT;
UPDATE tool_aliases SET load_id = getvariable('last_load');

ALTER TABLE tool_cards ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE tool_cards ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE tool_cards ALTER COLUMN load_id DROP DEFAULT;
UPDATE tool_cards SET load_id = getvariable('last_load');

ALTER TABLE tool_history ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE tool_history ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE tool_history ALTER COLUMN load_id DROP DEFAULT;
UPDATE tool_history SET load_id = getvariable('last_load');

ALTER TABLE tools ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE tools ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE tools ALTER COLUMN load_id DROP DEFAULT;
UPDATE tools SET load_id = getvariable('last_load');

ALTER TABLE verdict_history ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE verdict_history ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE verdict_history ALTER COLUMN load_id DROP DEFAULT;
UPDATE verdict_history SET load_id = getvariable('last_load');

ALTER TABLE verdicts ADD COLUMN load_id VARCHAR DEFAULT '';
ALTER TABLE verdicts ALTER COLUMN load_id SET NOT NULL;
ALTER TABLE verdicts ALTER COLUMN load_id DROP DEFAULT;
UPDATE verdicts SET load_id = getvariable('last_load');

-- How long earlier loads took was not kept.
ALTER TABLE loads ADD COLUMN elapsed_ms BIGINT;
