-- question: Which words are more frequent in takes that say skip than in takes that say ship?
-- topic: takes
-- parameter: tool: only takes on this tool
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: seat: only takes of this seat (Builder, Skeptic, Futurist, PM, Founder, Creator)
-- parameter: least = 3: only words in at least this many takes that say skip, on two tools or more
-- parameter: sure = 1.645: only words whose weight is at least this; by chance one word in twenty has it
-- parameter: limit = 30: at most this many words
-- picture: bars word+stem skip_pct
WITH takes AS (
    SELECT reviews.review_id, reviews.tool_id, tools.name, reviews.seat, reviews.text, reviews.verdict = 'skip' AS is_skip
    FROM reviews
    INNER JOIN tools USING (tool_id)
    WHERE
        reviews.verdict IN ('ship', 'skip')
        AND ($tool::VARCHAR IS NULL OR reviews.tool_id = $tool::VARCHAR)
        AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (tools.category, tools.category_group))
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
    WHERE len(words.word) > 2 AND NOT words.is_common
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
    HAVING skips >= $least::BIGINT AND (tools > 1 OR $tool::VARCHAR IS NOT NULL)
),

-- Log odds with an informative Dirichlet prior, by its standard error (Monroe, Colaresi and Quinn 2008). The prior is ten
-- takes on each side, which have the word as often as all takes: a word in three takes needs others to be believed.
weighed AS (
    SELECT
        counted.*,
        totals.skips AS all_skips,
        totals.ships AS all_ships,
        10 * (counted.skips + counted.ships) / (totals.skips + totals.ships) AS prior,
        (
            ln((counted.skips + prior) / (totals.skips - counted.skips + 10 - prior))
            - ln((counted.ships + prior) / (totals.ships - counted.ships + 10 - prior))
        ) / sqrt(1 / (counted.skips + prior) + 1 / (counted.ships + prior)) AS weight
    FROM counted
    CROSS JOIN totals
)

SELECT
    word,
    skips,
    ships,
    100 * skips / all_skips AS skip_pct,
    100 * ships / nullif(all_ships, 0) AS ship_pct,
    tools,
    weight,
    examples,
    stem
FROM weighed
WHERE weight >= $sure::DOUBLE
ORDER BY weight DESC, word
LIMIT $limit::BIGINT
