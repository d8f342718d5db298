CREATE TABLE IF NOT EXISTS review_aliases (
    old_id VARCHAR NOT NULL,
    review_id VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE review_aliases IS
    'An id of a review that was merged into another, so that a kept id never leads nowhere.';

COMMENT ON COLUMN review_aliases.old_id IS 'The id that was given up; still the text_id of the wording that founded it.';
COMMENT ON COLUMN review_aliases.review_id IS 'The review it was merged into (reviews.review_id).';
COMMENT ON COLUMN review_aliases.reason IS 'Why the two are one review, in words.';
COMMENT ON COLUMN review_aliases.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
