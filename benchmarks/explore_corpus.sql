-- What the made corpus lacks for the pages of nights, changes, prices and doubts: 30 nights of 20,000 attempts at 100
-- hosts, a verdict of every fiftieth page that turned, prices of every size, 20,000 doubts.
INSERT INTO ops.crawls BY NAME
SELECT
    'crawl-' || lpad(night::VARCHAR, 2, '0') AS crawl_id,
    'crawl' AS kind,
    TIMESTAMPTZ '2026-10-20 01:30:00+00' + to_days(night::INTEGER) AS started_at,
    started_at + INTERVAL 1 HOUR AS finished_at,
    'partial' AS status,
    2000 AS fetched,
    17600 AS unchanged,
    400 AS failed,
    40000000 AS bytes,
    (SELECT max(load_id) FROM ops.loads) AS load_id
FROM range(30) AS nights(night);

INSERT INTO ops.fetches BY NAME
SELECT
    crawls.crawl_id || '-' || number AS fetch_id,
    crawls.crawl_id,
    'https://host-' || (number % 100) || '.example/compare/' || number AS url,
    CASE WHEN number % 50 = 0 THEN 'read_timeout' WHEN number % 50 = 1 THEN 'not_found' WHEN number % 10 = 2 THEN 'stored' ELSE 'unchanged' END AS outcome,
    if(number % 50 = 0, NULL, 200) AS status_code,
    1 AS attempt,
    crawls.started_at + to_seconds(number / 10) AS started_at,
    (10 + hash(number) % 500)::BIGINT AS elapsed_ms,
    2000 AS bytes,
    'host-' || (number % 100) || '.example' AS host,
    CASE WHEN number % 50 = 0 THEN 'failed' WHEN number % 50 = 1 THEN 'other' ELSE 'answered' END AS outcome_class,
    crawls.load_id
FROM ops.crawls, range(20000) AS numbers(number);

INSERT INTO history.verdict_history BY NAME
SELECT
    * EXCLUDE (content_hash) REPLACE (
        if(panel_verdict = 'ship', 'mixed', 'ship') AS panel_verdict,
        valid_from - INTERVAL 10 DAY AS valid_from,
        valid_from AS valid_to
    )
FROM history.verdict_history
WHERE hash(page_id) % 50 = 0;

UPDATE pricing_tiers SET amount = round(pow(10, (hash(tool_id) % 1000) / 250), 2) WHERE amount > 0;

INSERT INTO evidence.rejects BY NAME
SELECT
    'https://host-' || (number % 100) || '.example/compare/' || number AS url,
    'extract' AS stage,
    'reason_' || (number % 12) AS reason,
    'The page has no panel that could be read at place ' || number AS detail,
    'segment' AS segment,
    number AS segment_offset,
    (SELECT max(load_id) FROM ops.loads) AS load_id
FROM range(10000) AS numbers(number);

INSERT INTO evidence.discrepancies BY NAME
SELECT
    page_id,
    NULL AS tool_id,
    'rule_' || (hash(page_id) % 12) AS rule,
    'ship' AS expected,
    'skip' AS found,
    load_id
FROM pages
LIMIT 10000;
