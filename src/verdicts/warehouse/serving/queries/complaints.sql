-- question: Which words are more frequent in reviews that say skip than in all reviews of the same reviewers?
-- topic: reviews
-- parameter: category: only tools of this category, as published or as grouped
-- parameter: reviewer: only reviews of this reviewer (Builder, Skeptic, Futurist, PM, Founder, Creator)
-- parameter: least = 3: only words in at least this many reviews that say skip, on two tools or more
-- parameter: sure = 3: only words whose weight, standard deviations above chance, is at least this; by chance one word in six has 1, one in 700 has 3
-- parameter: limit = 30: at most this many words, or pairs of words
-- hides: words that may be more frequent by chance, with a weight below 3; a smaller sure shows them
-- picture: bars word weight
WITH judged AS (
    SELECT
        -- The shortest reviews with a word are its examples.
        row_number() OVER (ORDER BY len(reviews.text), reviews.review_id) AS review,
        reviews.review_id,
        hash(reviews.tool_id) AS tool,
        tools.name,
        reviews.reviewer,
        reviews.text,
        reviews.verdict = 'skip' AS is_skip,
        avg(is_skip::BIGINT) OVER (PARTITION BY reviews.reviewer) AS share,
        count_if(is_skip) OVER () AS all_skips,
        count_if(NOT is_skip) OVER () AS all_ships
    FROM reviews
    INNER JOIN tools USING (tool_id)
    WHERE
        reviews.is_shown
        AND reviews.verdict IN ('ship', 'skip')
        AND ($category::VARCHAR IS NULL OR $category::VARCHAR IN (tools.category, tools.category_group))
        AND ($reviewer::VARCHAR IS NULL OR reviews.reviewer = $reviewer::VARCHAR)
),

tokens AS (
    SELECT
        judged.review,
        indexed.language,
        unnest(regexp_extract_all(lower(judged.text), '[\p{L}\p{M}\p{N}]+|[.!?]+(?:\s|$)')) AS spelling,
        generate_subscripts(regexp_extract_all(lower(judged.text), '[\p{L}\p{M}\p{N}]+|[.!?]+(?:\s|$)'), 1) AS place
    FROM judged
    INNER JOIN search.indexed ON indexed.field = 'review' AND judged.review_id = indexed.id
),

-- Forms of one word count together: slow, slower, slowly. A common word says nothing, unless it denies: no public API.
stems AS (
    SELECT
        language,
        spelling,
        min(term) OVER (PARTITION BY language, stem) AS term,
        word IN ('no', 'not', 'never', 'without', 'nicht', 'kein', 'keine', 'ohne', 'pas', 'sans', 'sin', 'non') AS denies
    FROM search.words
    WHERE len(word) > 2 AND NOT is_common OR denies
),

-- The end of a sentence has no term, so that no pair goes across it.
said AS (
    SELECT
        tokens.review,
        tokens.place,
        stems.term,
        stems.denies,
        lead(if(stems.denies, NULL, stems.term)) OVER following AS next_term,
        lead(tokens.place) OVER following AS next_place
    FROM tokens
    LEFT JOIN stems USING (language, spelling)
    WHERE stems.term IS NOT NULL OR NOT regexp_matches(tokens.spelling, '^[\p{L}\p{M}\p{N}]')
    WINDOW following AS (PARTITION BY tokens.review ORDER BY tokens.place)
),

repeated AS (
    SELECT said.term, said.next_term
    FROM said
    INNER JOIN judged USING (review)
    WHERE judged.is_skip AND said.next_term <> said.term
    GROUP BY said.term, said.next_term
    HAVING min(review) < max(review)
),

-- The next term of a single word is the word.
phrases AS (
    SELECT review, term, term AS next_term, min(place) AS place, min(place) AS next_place
    FROM said
    WHERE NOT denies
    GROUP BY review, term
    UNION ALL
    SELECT review, term, next_term, min(place), arg_min(next_place, place)
    FROM said
    SEMI JOIN repeated USING (term, next_term)
    GROUP BY review, term, next_term
),

-- Reviews with the word against reviews of the same reviewers (Mantel and Haenszel 1959). One review more in the variance: a word in
-- three reviews needs others to be believed. Rounded, because the order of a sum moves its last digits.
weighed AS (
    SELECT
        term,
        next_term,
        count(*) FILTER (judged.is_skip) AS skips,
        count(*) FILTER (NOT judged.is_skip) AS ships,
        round(sum(judged.share), 6) AS expected_skips,
        round((skips - expected_skips) / sqrt(sum(judged.share * (1 - judged.share)) + 1), 6) AS weight,
        any_value(judged.all_skips) AS skip_reviews,
        any_value(judged.all_ships) AS ship_reviews,
        min(review, 2) FILTER (judged.is_skip) AS examples
    FROM phrases
    INNER JOIN judged USING (review)
    GROUP BY term, next_term
    HAVING
        weight >= $sure::DOUBLE
        AND skips >= $least::BIGINT
        AND min(judged.tool) FILTER (judged.is_skip) < max(judged.tool) FILTER (judged.is_skip)
),

-- A word gives way to a pair that has it in two of three reviews: mind to change my mind.
covered AS (
    SELECT term, max(skips) AS skips
    FROM (SELECT unnest([term, next_term]) AS term, skips FROM weighed WHERE term <> next_term)
    GROUP BY term
),

shown AS (
    SELECT weighed.*
    FROM weighed
    LEFT JOIN covered ON weighed.term = covered.term AND weighed.next_term = covered.term
    -- no offline mode: the pair that ends where this one begins says it.
    ANTI JOIN weighed AS before
        ON weighed.term = before.next_term
        AND weighed.term NOT IN (weighed.next_term, before.term)
        AND weighed.next_term <> before.term
        AND (weighed.skips, weighed.ships) = (before.skips, before.ships)
    WHERE covered.skips IS NULL OR 3 * covered.skips < 2 * weighed.skips
    QUALIFY rank() OVER (ORDER BY weighed.weight DESC) <= $limit::BIGINT
),

-- The words as they stand in each review, and the sentence around them.
quoted AS (
    SELECT
        shown.*,
        review,
        judged.tool,
        judged.name || ', ' || coalesce(judged.reviewer, 'unknown reviewer') || ': ' AS speaker,
        regexp_extract_all(judged.text, '[\p{L}\p{M}\p{N}]+|[.!?]+(?:\s|$)')[phrases.place:phrases.next_place] AS words,
        list_filter(
            string_split_regex(judged.text, '[.!?]+(?:\s|$)'),
            lambda part: list_has_all(regexp_extract_all(part, '[\p{L}\p{M}\p{N}]+'), words)
        )[1] AS sentence
    FROM shown
    INNER JOIN phrases USING (term, next_term)
    INNER JOIN judged USING (review)
    WHERE judged.is_skip
)

SELECT
    arg_min(lower(array_to_string(words, ' ')), review) AS word,
    skips,
    skip_reviews,
    round(expected_skips, 1) AS expected_skips,
    ships,
    ship_reviews,
    count(DISTINCT tool) AS tools,
    round(quoted.weight, 2) AS weight,
    list(speaker || trim(sentence) ORDER BY review) FILTER (list_contains(examples, review)) AS examples
FROM quoted
GROUP BY term, next_term, skips, skip_reviews, ships, ship_reviews, quoted.expected_skips, quoted.weight
ORDER BY quoted.weight DESC, word
LIMIT $limit::BIGINT
