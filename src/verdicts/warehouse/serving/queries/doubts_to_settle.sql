-- question: Which doubts affect most rows?
-- topic: trust
-- parameter: limit = 50: at most this many doubts
-- picture: table
WITH shown AS (
    SELECT tool_id, count(*) AS cards
    FROM evidence.tool_cards
    GROUP BY ALL
),

-- The younger of two goes into the older.
near_reviews AS (
    SELECT
        'near reviews' AS doubt,
        younger.appearances + older.appearances AS rows,
        tools.name,
        younger.text,
        older.text AS other_text,
        younger.review_id AS id,
        older.review_id AS other_id
    FROM evidence.lookalikes
    INNER JOIN reviews AS younger ON younger.review_id IN (lookalikes.review_id, lookalikes.other_review_id)
    INNER JOIN reviews AS older
        ON older.review_id IN (lookalikes.review_id, lookalikes.other_review_id)
        AND (older.first_seen_at, older.review_id) < (younger.first_seen_at, younger.review_id)
    INNER JOIN tools ON younger.tool_id = tools.tool_id
),

near_tools AS (
    SELECT
        'near tools' AS doubt,
        coalesce(of_one.cards, 0) + coalesce(of_other.cards, 0) AS rows,
        one.name,
        coalesce(one.slug, one.tagline) AS text,
        coalesce(other.slug, other.tagline) AS other_text,
        one.tool_id AS id,
        other.tool_id AS other_id
    FROM evidence.products
    INNER JOIN tools AS one ON products.tool_id = one.tool_id
    INNER JOIN tools AS other ON products.product_id = other.tool_id
    LEFT JOIN shown AS of_one ON one.tool_id = of_one.tool_id
    LEFT JOIN shown AS of_other ON other.tool_id = of_other.tool_id
    WHERE one.tool_id <> other.tool_id
),

unread_prices AS (
    SELECT DISTINCT
        'unread price' AS doubt,
        coalesce(shown.cards, 0) AS rows,
        tools.name,
        pricing_tiers.raw AS text,
        pricing_tiers.tier_number::VARCHAR AS other_text,
        tools.tool_id AS id,
        NULL AS other_id
    FROM pricing_tiers
    INNER JOIN evidence.discrepancies
        ON pricing_tiers.tool_id = discrepancies.tool_id
        AND discrepancies.rule = 'unread_price'
        AND contains(discrepancies.found, pricing_tiers.raw)
    INNER JOIN tools ON pricing_tiers.tool_id = tools.tool_id
    LEFT JOIN shown ON tools.tool_id = shown.tool_id
    WHERE pricing_tiers.kind = 'other' AND pricing_tiers.amount IS NULL
),

-- The other tool of its pages, if that is one.
weak_reviews AS (
    SELECT
        'weak review' AS doubt,
        any_value(reviews.appearances) AS rows,
        any_value(tools.name) AS name,
        any_value(reviews.text) AS text,
        CASE WHEN count(DISTINCT cards.tool_id) = 1 THEN any_value(cards.name) END AS other_text,
        reviews.review_id AS id,
        CASE WHEN count(DISTINCT cards.tool_id) = 1 THEN any_value(cards.tool_id) END AS other_id,
        any_value(tools.tool_id) AS tool_id
    FROM reviews
    INNER JOIN tools ON reviews.tool_id = tools.tool_id
    INNER JOIN appearances ON reviews.review_id = appearances.review_id
    LEFT JOIN evidence.tool_cards AS cards
        ON appearances.page_id = cards.page_id AND reviews.tool_id <> cards.tool_id
    WHERE reviews.is_shown AND reviews.attribution = 'ordered'
    GROUP BY reviews.review_id
),

every AS (
    SELECT *, NULL AS tool_id FROM near_reviews
    UNION ALL
    SELECT *, NULL FROM near_tools
    UNION ALL
    SELECT *, NULL FROM unread_prices
    UNION ALL
    SELECT * FROM weak_reviews
)

SELECT doubt, rows, name, text, other_text, id, other_id, tool_id
FROM every
ORDER BY rows DESC, doubt, id, other_id
LIMIT $limit::BIGINT
