CREATE TABLE IF NOT EXISTS lookalikes (
    review_id VARCHAR NOT NULL,
    other_id VARCHAR NOT NULL,
    similarity DOUBLE NOT NULL,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE lookalikes IS
    'Two reviews too alike to pass over and too unlike to join. Few are expected; a table that fills is an alarm.';

COMMENT ON COLUMN lookalikes.review_id IS 'The one with the smaller id (reviews.review_id).';
COMMENT ON COLUMN lookalikes.other_id IS 'The other one (reviews.review_id).';
COMMENT ON COLUMN lookalikes.similarity IS 'Likeness of their closest wordings, 0-1: from 0.70 to under 0.82.';
COMMENT ON COLUMN lookalikes.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
