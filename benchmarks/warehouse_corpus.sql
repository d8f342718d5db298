-- A corpus of $reviews reviews with the given texts (number, text): four reviews a tool, each tool on two pages.
CREATE MACRO an_id(kind, number) AS md5(kind || number);
CREATE MACRO night(number) AS TIMESTAMPTZ '2026-01-01 01:30:00+00' + to_days((number % 300)::INTEGER);

CREATE TABLE tools AS
SELECT
    an_id('tool', number) AS tool_id,
    'reviews.example' AS host,
    'tool-' || number AS slug,
    'Tool ' || number AS name,
    'What tool ' || number || ' is for' AS tagline,
    NULL::VARCHAR AS description,
    'Category ' || (number % 40) AS category,
    category AS category_group,
    if(number % 3 = 0, 'Free', 'Paid') AS entry,
    name AS product,
    'Vendor ' || (number % 500) AS vendor,
    'name: Tool' AS vendor_evidence,
    night(number) AS first_seen_at,
    first_seen_at AS last_seen_at
FROM range($reviews // 4) AS numbers(number);

CREATE TABLE pages AS
SELECT
    an_id('page', number) AS page_id,
    'panel' AS kind,
    'https://reviews.example/compare/' || number AS url,
    url AS address,
    'reviews.example' AS host,
    'Page ' || number AS title,
    NULL::VARCHAR AS author,
    NULL::VARCHAR AS published_date,
    'panel' AS reader,
    ['html'] AS renderings,
    false AS is_ambiguous,
    night(number) AS first_seen_at,
    first_seen_at AS last_seen_at,
    false AS is_gone,
    NULL::VARCHAR AS rights,
    false AS is_reserved
FROM range($reviews // 4) AS numbers(number);

-- The tools of a page: its own, and the next one.
CREATE TABLE sides AS
SELECT number, 'a' AS side, number AS tool FROM range($reviews // 4) AS numbers(number)
UNION ALL
SELECT number, 'b' AS side, (number + 1) % ($reviews // 4) AS tool FROM range($reviews // 4) AS numbers(number);

CREATE TABLE mentions AS
SELECT
    an_id('page', number) AS page_id,
    if(side = 'a', 0, 1)::BIGINT AS tool_number,
    'Tool ' || tool AS name,
    'tool' || tool AS name_key,
    NULL::VARCHAR AS tool_url,
    NULL::VARCHAR AS description,
    'Category ' || (tool % 40) AS category,
    NULL::VARCHAR AS price,
    (tool % 5 * 25)::DOUBLE AS rating,
    100.0::DOUBLE AS rating_best,
    NULL::BIGINT AS ratings,
    NULL::BIGINT AS rank,
    NULL::VARCHAR AS best_for,
    an_id('tool', tool) AS tool_id,
    'panel' AS known_by
FROM sides;

CREATE TABLE tool_cards AS
SELECT
    an_id('page', number) AS page_id,
    side,
    an_id('tool', tool) AS tool_id,
    'Tool ' || tool AS name,
    NULL::VARCHAR AS tagline,
    'Category ' || (tool % 40) AS category,
    (tool % 5 * 25)::BIGINT AS panel_ship_pct,
    CASE WHEN tool % 5 > 2 THEN 'ship' WHEN tool % 5 = 2 THEN 'mixed' ELSE 'skip' END AS chip,
    NULL::BIGINT AS community_pct,
    if(tool % 3 = 0, 'Free', 'Paid') AS entry,
    NULL::VARCHAR AS description
FROM sides;

CREATE TABLE verdicts AS
SELECT
    page_id,
    side,
    tool_id,
    chip AS panel_verdict,
    panel_ship_pct // 25 AS ship_votes,
    4 - panel_ship_pct // 25 AS skip_votes,
    NULL::BIGINT AS community_pct,
    NULL::BIGINT AS community_votes,
    'Free / $' || (5 + hash(tool_id) % 90) || '/mo Pro' AS pricing,
    NULL::VARCHAR AS best_for,
    category,
    NULL::VARCHAR AS panel_verdict_raw,
    NULL::VARCHAR AS community_raw
FROM tool_cards;

CREATE TABLE pricing_tiers AS
SELECT
    an_id('tool', number) AS tool_id,
    tier_number,
    if(tier_number = 0, NULL, 'Pro') AS plan,
    if(tier_number = 0, 'free', 'paid') AS kind,
    tier_number = 0 AS is_free,
    if(tier_number = 0, 0, 5 + number % 90)::DOUBLE AS amount,
    NULL::DOUBLE AS amount_max,
    false AS is_from,
    if(tier_number = 0, NULL, 'USD') AS currency,
    if(tier_number = 0, NULL, 'month') AS period,
    NULL::VARCHAR AS unit,
    NULL::VARCHAR AS billing,
    NULL::VARCHAR AS license,
    if(tier_number = 0, 'Free', '$' || (5 + number % 90) || '/mo Pro') AS raw
FROM range($reviews // 4) AS numbers(number), range(2) AS tiers(tier_number);

CREATE TABLE reviews AS
SELECT
    an_id('review', number) AS review_id,
    an_id('tool', number // 4) AS tool_id,
    ['Builder', 'Skeptic', 'Futurist', 'PM'][1 + number % 4] AS reviewer,
    'label' AS reviewer_source,
    (40 + hash(number) % 60)::BIGINT AS score,
    if(score > 55, 'ship', 'skip') AS verdict,
    text,
    true AS is_shown,
    'observed' AS attribution,
    1.0::DOUBLE AS confidence,
    ['reviews.example'] AS hosts,
    2::BIGINT AS appearances,
    night(number // 4) AS first_seen_at,
    first_seen_at AS last_seen_at
FROM texts;

CREATE TABLE appearances AS
SELECT
    an_id('page', sides.number) AS page_id,
    an_id('text', sides.tool * 4 + place) AS text_id,
    an_id('review', sides.tool * 4 + place) AS review_id,
    place * 2 + if(sides.side = 'a', 0, 1) AS review_number,
    sides.side,
    'exact' AS match,
    1.0::DOUBLE AS similarity,
    'observed' AS attribution,
    texts.text,
    '20260101T013000Z-0001-' || (sides.number // 1000) || '.warc.gz' AS segment,
    sides.number % 1000 * 9000 AS segment_offset,
    20 + place * 4 AS first_block,
    23 + place * 4 AS last_block,
    night(sides.number) AS first_seen_at,
    night(sides.number) AS last_seen_at
FROM sides
CROSS JOIN range(4) AS places(place)
INNER JOIN texts ON texts.number = sides.tool * 4 + place;

CREATE TABLE attribution_evidence AS
SELECT DISTINCT review_id, 'observed' AS kind, page_id, 1.0::DOUBLE AS weight, 'labelled there' AS detail
FROM appearances;

CREATE TABLE tool_history AS
SELECT tool_id, name, tagline, description, category, entry, first_seen_at AS valid_from, NULL::TIMESTAMPTZ AS valid_to
FROM tools;

CREATE TABLE review_history AS
SELECT review_id, tool_id, reviewer, score, verdict, text, first_seen_at AS valid_from, NULL::TIMESTAMPTZ AS valid_to
FROM reviews
WHERE is_shown;

CREATE TABLE price_history AS
SELECT tool_id, any_value(pricing) AS pricing, min(first_seen_at) AS valid_from, NULL::TIMESTAMPTZ AS valid_to
FROM verdicts
INNER JOIN pages USING (page_id)
GROUP BY tool_id;

CREATE TABLE verdict_history AS
SELECT
    page_id,
    side,
    tool_id,
    panel_verdict,
    ship_votes,
    skip_votes,
    panel_ship_pct,
    verdicts.community_pct,
    community_votes,
    pricing,
    first_seen_at AS valid_from,
    NULL::TIMESTAMPTZ AS valid_to
FROM verdicts
INNER JOIN tool_cards USING (page_id, side, tool_id)
INNER JOIN pages USING (page_id);

DROP TABLE sides;
