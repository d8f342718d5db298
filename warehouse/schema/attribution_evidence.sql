CREATE TABLE IF NOT EXISTS attribution_evidence (
    review_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    page_id VARCHAR NOT NULL,
    weight DOUBLE NOT NULL,
    detail VARCHAR NOT NULL,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE attribution_evidence IS
    'A reason why a review is attributed to its tool.';

COMMENT ON COLUMN attribution_evidence.review_id IS 'Review (reviews.review_id).';
COMMENT ON COLUMN attribution_evidence.kind IS 'Kind of evidence: observed, matched, intersected, excluded, ordered.';
COMMENT ON COLUMN attribution_evidence.page_id IS 'Page the evidence is on (pages.page_id).';
COMMENT ON COLUMN attribution_evidence.weight IS
    'Share of such evidence that is right, 0-1, measured on answer keys; where pages label the take with several tools, times the share that agrees.';
COMMENT ON COLUMN attribution_evidence.detail IS 'The evidence in words.';
COMMENT ON COLUMN attribution_evidence.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
