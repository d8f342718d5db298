ALTER TABLE urls ADD COLUMN gone_in TEXT;

UPDATE urls SET gone_in = handled_in WHERE is_gone = 1;

CREATE TABLE gate_measures (
    crawl_id          TEXT NOT NULL,
    host              TEXT NOT NULL,
    measure           TEXT NOT NULL,
    test              TEXT NOT NULL,
    had               INTEGER NOT NULL,
    lost              INTEGER NOT NULL,
    rate              REAL,
    p_value           REAL,
    level             TEXT NOT NULL,
    state             TEXT NOT NULL,
    examples          TEXT NOT NULL,
    extractor_version TEXT NOT NULL,
    gate_version      TEXT NOT NULL,
    PRIMARY KEY (crawl_id, host, measure, test)
) STRICT, WITHOUT ROWID;

CREATE TABLE gate_accepts (
    host        TEXT NOT NULL,
    measure     TEXT NOT NULL,
    crawl_id    TEXT NOT NULL,
    accepted_at TEXT NOT NULL,
    accepted_by TEXT NOT NULL,
    reason      TEXT NOT NULL,
    PRIMARY KEY (host, measure, crawl_id)
) STRICT, WITHOUT ROWID;

-- What readers have was accepted: the runs of before are what later ones are compared with.
INSERT INTO gate_measures
SELECT DISTINCT crawl_id, host, 'comparison', 'night', 0, 0, NULL, NULL, 'hold', 'unjudged', '[]', '0', '0'
FROM fetches
JOIN urls USING (url)
WHERE outcome = 'stored' AND host <> '';
