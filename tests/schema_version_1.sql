-- A small corpus as it lay on the disk in version 1 of the schema: what migrations are tried on.

CREATE TABLE pages (
    page_id VARCHAR NOT NULL,
    url VARCHAR,
    host VARCHAR,
    title VARCHAR NOT NULL,
    renderings VARCHAR[] NOT NULL,
    is_ambiguous BOOLEAN NOT NULL,
    first_seen_at TIMESTAMPTZ NOT NULL,
    last_seen_at TIMESTAMPTZ NOT NULL,
    is_gone BOOLEAN NOT NULL
);

INSERT INTO pages VALUES
    ('507b86295d4b735e53deb5c8e460348f', 'http://demo.verdicts.example/compare/alpha-vs-beta', 'demo.verdicts.example', 'alpha-vs-beta', ['html'], false, '2026-11-20 01:30:00+00', '2026-11-20 01:30:00+00', false),
    ('aad2bf7756928438f23fc52703cac92c', 'http://demo.verdicts.example/compare/alpha-vs-gamma', 'demo.verdicts.example', 'alpha-vs-gamma', ['quotes'], false, '2026-11-20 01:30:00+00', '2026-11-20 01:30:00+00', false);

CREATE TABLE documents (
    url VARCHAR NOT NULL,
    host VARCHAR,
    title VARCHAR,
    author VARCHAR,
    published_on VARCHAR,
    text VARCHAR NOT NULL,
    reader VARCHAR NOT NULL,
    first_seen_at TIMESTAMPTZ NOT NULL,
    last_seen_at TIMESTAMPTZ NOT NULL
);

INSERT INTO documents VALUES
    ('http://demo.verdicts.example/news/one', 'demo.verdicts.example', 'One', NULL, '2026-11-01', 'Our own words.', 'table', '2026-11-20 01:30:00+00', '2026-11-20 01:30:00+00');

CREATE TABLE compared_tools (
    url VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    name VARCHAR NOT NULL,
    tool_url VARCHAR,
    description VARCHAR,
    category VARCHAR,
    price VARCHAR,
    rating DOUBLE,
    rating_best DOUBLE,
    ratings BIGINT
);

INSERT INTO compared_tools VALUES
    ('http://demo.verdicts.example/news/one', 0, 'Alpha', NULL, NULL, NULL, '9 USD', 4.5, 5.0, 12),
    ('http://demo.verdicts.example/news/one', 1, 'Beta', NULL, NULL, NULL, NULL, NULL, NULL, NULL);

CREATE TABLE comparison_rows (
    url VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    tool_position BIGINT NOT NULL,
    kind VARCHAR NOT NULL,
    attribute VARCHAR NOT NULL,
    value VARCHAR NOT NULL
);

INSERT INTO comparison_rows VALUES
    ('http://demo.verdicts.example/news/one', 0, 0, 'attribute', 'Licence', 'MIT'),
    ('http://demo.verdicts.example/news/one', 1, 0, 'question', 'Is it fast?', 'It is.');

CREATE TABLE outside_reviews (
    url VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    tool_position BIGINT,
    author VARCHAR,
    rating DOUBLE,
    rating_best DOUBLE,
    published_on VARCHAR,
    text VARCHAR NOT NULL
);

INSERT INTO outside_reviews VALUES
    ('http://demo.verdicts.example/news/one', 0, 0, 'Ines', 5.0, 5.0, '2026-05-02', 'A good one.');

CREATE TABLE tools (
    tool_id VARCHAR NOT NULL,
    host VARCHAR,
    slug VARCHAR,
    name VARCHAR NOT NULL,
    tagline VARCHAR,
    description VARCHAR,
    category VARCHAR,
    entry VARCHAR,
    product VARCHAR NOT NULL,
    first_seen_at TIMESTAMPTZ NOT NULL,
    last_seen_at TIMESTAMPTZ NOT NULL
);

INSERT INTO tools VALUES
    ('05b048d7242cb7b8b57cfa3b1d65ecea', 'demo.verdicts.example', 'gamma', 'Twin', 'What gamma is for', 'Gamma does one thing.', 'Coding Agents', 'Free', 'Twin', '2026-11-20 01:30:00+00', '2026-11-20 01:30:00+00'),
    ('2c1743a391305fbf367df8e4f069f9f9', 'demo.verdicts.example', 'alpha', 'Alpha', 'What alpha is for', 'Alpha does one thing.', 'Coding Agents', 'Free', 'Alpha', '2026-11-20 01:30:00+00', '2026-11-20 01:30:00+00'),
    ('987bcab01b929eb2c07877b224215c92', 'demo.verdicts.example', 'beta', 'Twin', 'What beta is for', 'Beta does one thing.', 'Models', 'Paid', 'Twin', '2026-11-20 01:30:00+00', '2026-11-20 01:30:00+00');

CREATE TABLE tool_aliases (
    alias_id VARCHAR NOT NULL,
    tool_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    tagline VARCHAR,
    reason VARCHAR NOT NULL
);

INSERT INTO tool_aliases VALUES
    ('f173cc816ac0da255cb5ec6c6269ede3', '05b048d7242cb7b8b57cfa3b1d65ecea', 'Twin', 'What gamma is for', 'claimed by slug');

CREATE TABLE products (
    tool_id VARCHAR NOT NULL,
    product_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    score DOUBLE NOT NULL,
    reason VARCHAR NOT NULL
);

INSERT INTO products VALUES
    ('05b048d7242cb7b8b57cfa3b1d65ecea', '987bcab01b929eb2c07877b224215c92', 'Twin', 0.9, 'same name as the other'),
    ('987bcab01b929eb2c07877b224215c92', '987bcab01b929eb2c07877b224215c92', 'Twin', 0.9, 'same name as the other');

CREATE TABLE tool_cards (
    page_id VARCHAR NOT NULL,
    side VARCHAR NOT NULL,
    tool_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    tagline VARCHAR,
    category VARCHAR,
    panel_ship_pct BIGINT,
    chip VARCHAR,
    community_pct BIGINT,
    entry VARCHAR,
    description VARCHAR
);

INSERT INTO tool_cards VALUES
    ('507b86295d4b735e53deb5c8e460348f', 'a', '2c1743a391305fbf367df8e4f069f9f9', 'Alpha', 'What alpha is for', 'Coding Agents', 75, 'ship', NULL, 'Free', 'Alpha does one thing.'),
    ('507b86295d4b735e53deb5c8e460348f', 'b', '987bcab01b929eb2c07877b224215c92', 'Twin', 'What beta is for', 'Coding Agents', 50, 'mixed', NULL, 'Free', 'Beta does one thing.'),
    ('aad2bf7756928438f23fc52703cac92c', 'a', '2c1743a391305fbf367df8e4f069f9f9', 'Alpha', 'What alpha is for', 'Coding Agents', 75, 'ship', NULL, 'Free', 'Alpha does one thing.'),
    ('aad2bf7756928438f23fc52703cac92c', 'b', '05b048d7242cb7b8b57cfa3b1d65ecea', 'Twin', 'What gamma is for', 'Coding Agents', 25, NULL, NULL, 'Free', 'Gamma does one thing.');

CREATE TABLE verdicts (
    page_id VARCHAR NOT NULL,
    side VARCHAR NOT NULL,
    tool_id VARCHAR NOT NULL,
    verdict VARCHAR,
    ship_votes BIGINT,
    skip_votes BIGINT,
    community_pct BIGINT,
    community_votes BIGINT,
    pricing VARCHAR,
    best_for VARCHAR,
    category VARCHAR,
    verdict_raw VARCHAR,
    community_raw VARCHAR
);

INSERT INTO verdicts VALUES
    ('507b86295d4b735e53deb5c8e460348f', 'a', '2c1743a391305fbf367df8e4f069f9f9', 'ship', 3, 1, NULL, NULL, 'Free tier / $20/mo Pro', 'What alpha is for', 'Coding Agents', 'Ship · 3 ship / 1 skip', 'No community votes yet'),
    ('507b86295d4b735e53deb5c8e460348f', 'b', '987bcab01b929eb2c07877b224215c92', 'mixed', 2, 2, NULL, NULL, 'Free tier / $20/mo Pro', 'What beta is for', 'Coding Agents', 'Ship · 3 ship / 1 skip', 'No community votes yet');

CREATE TABLE pricing_tiers (
    tool_id VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    plan VARCHAR,
    kind VARCHAR NOT NULL,
    amount DOUBLE,
    currency VARCHAR,
    period VARCHAR,
    license VARCHAR,
    raw VARCHAR NOT NULL
);

INSERT INTO pricing_tiers VALUES
    ('2c1743a391305fbf367df8e4f069f9f9', 0, NULL, 'free', 0.0, NULL, NULL, NULL, 'Free tier'),
    ('2c1743a391305fbf367df8e4f069f9f9', 1, 'Pro', 'paid', 20.0, 'USD', 'month', NULL, '$20/mo Pro'),
    ('987bcab01b929eb2c07877b224215c92', 0, 'Pro', 'paid', 120.0, 'USD', 'year', NULL, 'Pro $120/yr');

CREATE TABLE reviews (
    review_id VARCHAR NOT NULL,
    tool_id VARCHAR NOT NULL,
    seat VARCHAR,
    seat_source VARCHAR,
    score BIGINT,
    verdict VARCHAR,
    text VARCHAR NOT NULL,
    attribution VARCHAR NOT NULL,
    confidence DOUBLE NOT NULL,
    appearances BIGINT NOT NULL,
    first_seen_at TIMESTAMPTZ NOT NULL,
    last_seen_at TIMESTAMPTZ NOT NULL
);

INSERT INTO reviews VALUES
    ('05b048d7242cb7b8b57cfa3b1d65ecea', '05b048d7242cb7b8b57cfa3b1d65ecea', NULL, 'label', NULL, NULL, 'A take on gamma, known as gamma.', 'ordered', 0.5, 1, '2026-11-20 01:30:00+00', '2026-11-20 01:30:00+00'),
    ('83d3ef48922883e222906e95ca16c2ef', '2c1743a391305fbf367df8e4f069f9f9', 'Skeptic', 'label', 60, 'skip', 'A take on alpha, known as alpha skeptic.', 'observed', 1.0, 1, '2026-11-20 01:30:00+00', '2026-11-20 01:30:00+00'),
    ('ab46c39222440826a324a7db519fb0ad', '987bcab01b929eb2c07877b224215c92', 'Builder', 'label', 90, 'ship', 'A take on beta, known as beta builder.', 'observed', 1.0, 1, '2026-11-20 01:30:00+00', '2026-11-20 01:30:00+00'),
    ('ecd0396a071063af49238d667439dd78', '2c1743a391305fbf367df8e4f069f9f9', 'Builder', 'label', 80, 'ship', 'A take on alpha, known as alpha builder.', 'observed', 1.0, 2, '2026-11-20 01:30:00+00', '2026-11-20 01:30:00+00');

CREATE TABLE review_aliases (
    old_id VARCHAR NOT NULL,
    review_id VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    load_id VARCHAR NOT NULL
);

INSERT INTO review_aliases VALUES
    ('cd8d130244801a8c5ef20e100e3e87d1', 'ecd0396a071063af49238d667439dd78', 'cut short', 'load-1');

CREATE TABLE lookalikes (
    review_id VARCHAR NOT NULL,
    other_id VARCHAR NOT NULL,
    similarity DOUBLE NOT NULL
);

INSERT INTO lookalikes VALUES
    ('83d3ef48922883e222906e95ca16c2ef', 'ecd0396a071063af49238d667439dd78', 0.75);

CREATE TABLE appearances (
    page_id VARCHAR NOT NULL,
    text_id VARCHAR NOT NULL,
    review_id VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    side VARCHAR,
    match VARCHAR NOT NULL,
    similarity DOUBLE NOT NULL,
    attribution VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    segment VARCHAR NOT NULL,
    segment_offset BIGINT NOT NULL,
    first_block BIGINT NOT NULL,
    last_block BIGINT NOT NULL,
    first_seen_at TIMESTAMPTZ NOT NULL,
    last_seen_at TIMESTAMPTZ NOT NULL
);

INSERT INTO appearances VALUES
    ('507b86295d4b735e53deb5c8e460348f', '4e4466e8799a597396d20848c2939933', '83d3ef48922883e222906e95ca16c2ef', 2, 'a', 'exact', 1.0, 'observed', 'A take known as alpha skeptic.', '20261120T013000Z-0001-00001.warc.zst', 0, 22, 22, '2026-11-20 01:30:00+00', '2026-11-20 01:30:00+00'),
    ('507b86295d4b735e53deb5c8e460348f', '755808fb4e2f0bbf20b09cfc8571c653', 'ecd0396a071063af49238d667439dd78', 0, 'a', 'exact', 1.0, 'observed', 'A take known as alpha builder.', '20261120T013000Z-0001-00001.warc.zst', 0, 20, 20, '2026-11-20 01:30:00+00', '2026-11-20 01:30:00+00'),
    ('507b86295d4b735e53deb5c8e460348f', '9283dfad13745c0e325c55e9c3264297', 'ab46c39222440826a324a7db519fb0ad', 1, 'b', 'exact', 1.0, 'observed', 'A take known as beta builder.', '20261120T013000Z-0001-00001.warc.zst', 0, 21, 21, '2026-11-20 01:30:00+00', '2026-11-20 01:30:00+00'),
    ('aad2bf7756928438f23fc52703cac92c', '755808fb4e2f0bbf20b09cfc8571c653', 'ecd0396a071063af49238d667439dd78', 0, 'a', 'near', 0.97, 'matched', 'A take known as alpha builder.', '20261120T013000Z-0001-00001.warc.zst', 0, 20, 20, '2026-11-20 01:30:00+00', '2026-11-20 01:30:00+00'),
    ('aad2bf7756928438f23fc52703cac92c', 'f7b54c006c5033788bba78b29281fae5', '05b048d7242cb7b8b57cfa3b1d65ecea', 1, NULL, 'exact', 1.0, 'ordered', 'A take known as gamma.', '20261120T013000Z-0001-00001.warc.zst', 0, 21, 21, '2026-11-20 01:30:00+00', '2026-11-20 01:30:00+00');

CREATE TABLE attribution_evidence (
    review_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    page_id VARCHAR NOT NULL,
    weight DOUBLE NOT NULL,
    detail VARCHAR NOT NULL
);

INSERT INTO attribution_evidence VALUES
    ('ecd0396a071063af49238d667439dd78', 'observed', '507b86295d4b735e53deb5c8e460348f', 1.0, 'labelled there');

CREATE TABLE tool_history (
    tool_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    tagline VARCHAR,
    description VARCHAR,
    category VARCHAR,
    entry VARCHAR,
    valid_from TIMESTAMPTZ NOT NULL,
    valid_to TIMESTAMPTZ
);

INSERT INTO tool_history VALUES
    ('2c1743a391305fbf367df8e4f069f9f9', 'Alpha', 'What alpha is for', NULL, 'Coding Agents', 'Paid', '2026-11-20 01:30:00+00', '2026-11-21 01:30:00+00'),
    ('2c1743a391305fbf367df8e4f069f9f9', 'Alpha', 'What alpha is for', NULL, 'Coding Agents', 'Free', '2026-11-21 01:30:00+00', NULL);

CREATE TABLE price_history (
    tool_id VARCHAR NOT NULL,
    pricing VARCHAR NOT NULL,
    valid_from TIMESTAMPTZ NOT NULL,
    valid_to TIMESTAMPTZ
);

INSERT INTO price_history VALUES
    ('2c1743a391305fbf367df8e4f069f9f9', 'Free / $10/mo Pro', '2026-11-20 01:30:00+00', '2026-11-21 01:30:00+00'),
    ('2c1743a391305fbf367df8e4f069f9f9', 'Free / $20/mo Pro', '2026-11-21 01:30:00+00', NULL);

CREATE TABLE verdict_history (
    page_id VARCHAR NOT NULL,
    side VARCHAR NOT NULL,
    tool_id VARCHAR NOT NULL,
    verdict VARCHAR,
    ship_votes BIGINT,
    skip_votes BIGINT,
    panel_ship_pct BIGINT,
    community_pct BIGINT,
    community_votes BIGINT,
    pricing VARCHAR,
    valid_from TIMESTAMPTZ NOT NULL,
    valid_to TIMESTAMPTZ
);

INSERT INTO verdict_history VALUES
    ('507b86295d4b735e53deb5c8e460348f', 'a', '2c1743a391305fbf367df8e4f069f9f9', 'ship', 3, 1, 75, NULL, NULL, 'Free tier / $20/mo Pro', '2026-11-20 01:30:00+00', NULL),
    ('507b86295d4b735e53deb5c8e460348f', 'b', '987bcab01b929eb2c07877b224215c92', 'ship', 3, 1, 75, NULL, NULL, 'Free tier / $20/mo Pro', '2026-11-20 01:30:00+00', '2026-11-21 01:30:00+00'),
    ('507b86295d4b735e53deb5c8e460348f', 'b', '987bcab01b929eb2c07877b224215c92', 'mixed', 2, 2, 50, NULL, NULL, 'Free tier / $20/mo Pro', '2026-11-21 01:30:00+00', NULL);

CREATE TABLE discrepancies (
    page_id VARCHAR NOT NULL,
    tool_id VARCHAR,
    rule VARCHAR NOT NULL,
    expected VARCHAR NOT NULL,
    found VARCHAR NOT NULL
);

INSERT INTO discrepancies VALUES
    ('aad2bf7756928438f23fc52703cac92c', '05b048d7242cb7b8b57cfa3b1d65ecea', 'chip_follows_panel', 'skip', 'ship');

CREATE TABLE rejects (
    url VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    detail VARCHAR NOT NULL,
    segment VARCHAR NOT NULL,
    segment_offset BIGINT NOT NULL
);

INSERT INTO rejects VALUES
    ('http://demo.verdicts.example/compare/x', 'extract', 'empty', 'the body is empty', 's-00001.warc.zst', 10);

CREATE TABLE crawls (
    crawl_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    started_at TIMESTAMPTZ NOT NULL,
    finished_at TIMESTAMPTZ,
    status VARCHAR NOT NULL,
    fetched BIGINT NOT NULL,
    unchanged BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    bytes BIGINT NOT NULL
);

INSERT INTO crawls VALUES
    ('20261120T013000Z-0001', 'crawl', '2026-11-20 01:30:00+00', '2026-11-20 01:31:30+00', 'done', 2, 1, 1, 4096);

CREATE TABLE fetches (
    fetch_id VARCHAR NOT NULL,
    crawl_id VARCHAR NOT NULL,
    url VARCHAR NOT NULL,
    outcome VARCHAR NOT NULL,
    status_code BIGINT,
    attempt BIGINT NOT NULL,
    started_at TIMESTAMPTZ NOT NULL,
    elapsed_ms BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    body_sha256 VARCHAR,
    segment VARCHAR,
    segment_offset BIGINT,
    detail VARCHAR
);

INSERT INTO fetches VALUES
    ('1', '20261120T013000Z-0001', 'http://demo.verdicts.example/compare/alpha-vs-beta', 'stored', 200, 1, '2026-11-20 01:30:00+00', 40, 2048, '0000000000000000000000000000000000000000000000000000000000000000', '20261120T013000Z-0001-00001.warc.zst', 0, NULL),
    ('2', '20261120T013000Z-0001', 'http://demo.verdicts.example/compare/alpha-vs-gamma', 'stored', 200, 1, '2026-11-20 01:30:00+00', 60, 2048, '0000000000000000000000000000000000000000000000000000000000000000', '20261120T013000Z-0001-00001.warc.zst', 0, NULL),
    ('3', '20261120T013000Z-0001', 'http://demo.verdicts.example/tool/alpha', 'unchanged', 304, 1, '2026-11-20 01:30:00+00', 40, 2048, '0000000000000000000000000000000000000000000000000000000000000000', '20261120T013000Z-0001-00001.warc.zst', 0, NULL),
    ('4', '20261120T013000Z-0001', 'http://demo.verdicts.example/tool/beta', 'connect_error', NULL, 1, '2026-11-20 01:30:00+00', 0, 0, '0000000000000000000000000000000000000000000000000000000000000000', '20261120T013000Z-0001-00001.warc.zst', 0, NULL);

CREATE TABLE loads (
    load_id VARCHAR NOT NULL,
    loaded_at TIMESTAMPTZ NOT NULL,
    rows_added BIGINT NOT NULL,
    rows_changed BIGINT NOT NULL,
    rows_removed BIGINT NOT NULL,
    extractor_version VARCHAR NOT NULL
);

INSERT INTO loads VALUES
    ('load-1', '2026-11-20 01:30:00+00', 44, 0, 0, '1');

CREATE VIEW duplicate_reviews AS SELECT review_id, count(*) AS pages FROM appearances GROUP BY ALL;
