ALTER TABLE gate_measures RENAME TO gate_measures_of_pages;

CREATE TABLE gate_measures (
    crawl_id          TEXT NOT NULL,
    host              TEXT NOT NULL,
    measure           TEXT NOT NULL,
    test              TEXT NOT NULL,
    unit              TEXT NOT NULL,
    had               INTEGER NOT NULL,
    lost              INTEGER NOT NULL,
    rate              REAL,
    p_value           REAL,
    level             TEXT NOT NULL,
    state             TEXT NOT NULL,
    examples          TEXT NOT NULL,
    extractor_version TEXT NOT NULL,
    gate_version      TEXT NOT NULL,
    PRIMARY KEY (crawl_id, host, measure, test, unit)
) STRICT, WITHOUT ROWID;

INSERT INTO gate_measures
SELECT crawl_id, host, measure, test, 'page', had, lost, rate, p_value, level, state, examples, extractor_version,
    gate_version
FROM gate_measures_of_pages;

DROP TABLE gate_measures_of_pages;
