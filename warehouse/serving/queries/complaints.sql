-- question: Which words are more frequent in takes that say skip than in takes that say ship?
-- topic: takes
-- parameter: tool: only takes on this tool
-- parameter: category: only tools of this category group
-- parameter: seat: only takes of this seat
-- parameter: least = 3: only words in at least this many takes that say skip
-- parameter: most = 0.1: only words in at most this share of all takes; the, not and and are in more
-- parameter: limit = 30: at most this many words
-- picture: bars word+stem skip_pct
WITH takes AS (
    SELECT reviews.review_id, reviews.tool_id, tools.name, reviews.seat, reviews.text, reviews.verdict = 'skip' AS is_skip
    FROM reviews
    INNER JOIN tools USING (tool_id)
    WHERE
        reviews.verdict IN ('ship', 'skip')
        AND ($tool::VARCHAR IS NULL OR reviews.tool_id = $tool::VARCHAR)
        AND ($category::VARCHAR IS NULL OR tools.category_group = $category::VARCHAR)
        AND ($seat::VARCHAR IS NULL OR reviews.seat = $seat::VARCHAR)
),

totals AS (
    SELECT count(*) FILTER (is_skip) AS skips, count(*) FILTER (NOT is_skip) AS ships
    FROM takes
),

-- Forms of one word count together: slow, slower, slowly.
said AS (
    SELECT DISTINCT ON (takes.review_id, words.stem) takes.*, words.stem, words.word
    FROM takes
    INNER JOIN search.indexed ON indexed.field = 'take' AND takes.review_id = indexed.id
    INNER JOIN search.postings USING (document)
    INNER JOIN search.words USING (term)
    WHERE len(words.word) > 2
    ORDER BY words.term
),

counted AS (
    SELECT
        stem,
        mode(word ORDER BY word) AS word,
        count(*) FILTER (is_skip) AS skips,
        count(*) FILTER (NOT is_skip) AS ships,
        count(DISTINCT tool_id) FILTER (is_skip) AS tools,
        arg_min(name || ', ' || coalesce(seat, 'unknown seat') || ': ' || text, (len(text), review_id), 2)
            FILTER (is_skip) AS examples
    FROM said
    GROUP BY stem
    HAVING skips >= $least::BIGINT AND skips + ships <= $most::DOUBLE * (SELECT skips + ships FROM totals)
)

-- The difference of the two log odds by its standard error: of two words as one-sided, the more frequent comes first.
SELECT
    counted.word,
    counted.skips,
    counted.ships,
    100 * counted.skips / totals.skips AS skip_pct,
    100 * counted.ships / nullif(totals.ships, 0) AS ship_pct,
    counted.tools,
    (
        ln((counted.skips + 0.5) / (totals.skips - counted.skips + 0.5))
        - ln((counted.ships + 0.5) / (totals.ships - counted.ships + 0.5))
    ) / sqrt(1 / (counted.skips + 0.5) + 1 / (counted.ships + 0.5)) AS weight,
    counted.examples,
    counted.stem
FROM counted
CROSS JOIN totals
WHERE weight > 0
ORDER BY weight DESC, counted.word
LIMIT $limit::BIGINT
