CREATE OR REPLACE VIEW evidence.seat_pairs AS
SELECT
    one.tool_id,
    one.category,
    one.category_group,
    one.seat,
    other.seat AS other_seat,
    abs(one.score - other.score) AS distance,
    one.verdict <> other.verdict AS is_split
FROM scored_takes AS one
INNER JOIN scored_takes AS other ON one.tool_id = other.tool_id AND one.seat < other.seat;

COMMENT ON VIEW evidence.seat_pairs IS
    'Two scored takes on one tool by different seats.';

COMMENT ON COLUMN evidence.seat_pairs.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN evidence.seat_pairs.category IS 'Category of the tool as last published.';
COMMENT ON COLUMN evidence.seat_pairs.category_group IS 'One name for all spellings and synonyms of its category: a suggestion (tools.category_group).';
COMMENT ON COLUMN evidence.seat_pairs.seat IS 'First of the two seats in alphabetical order.';
COMMENT ON COLUMN evidence.seat_pairs.other_seat IS 'The other seat.';
COMMENT ON COLUMN evidence.seat_pairs.distance IS 'Difference of their scores, points.';
COMMENT ON COLUMN evidence.seat_pairs.is_split IS 'Whether one says ship and the other skip. NULL: the verdict of one is not known.';
