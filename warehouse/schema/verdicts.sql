CREATE TABLE IF NOT EXISTS verdicts (
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
    community_raw VARCHAR,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE verdicts IS
    'A tool''s column of the Decision table on a page, as the newest snapshot with such a table shows it.';

COMMENT ON COLUMN verdicts.page_id IS 'Page (pages.page_id).';
COMMENT ON COLUMN verdicts.side IS 'a: the first column, b: the second.';
COMMENT ON COLUMN verdicts.tool_id IS 'Tool of the column (tools.tool_id).';
COMMENT ON COLUMN verdicts.verdict IS 'Verdict of the panel: ship, mixed, skip. NULL: not stated, or a word that is none of these (see verdict_raw).';
COMMENT ON COLUMN verdicts.ship_votes IS 'Panel members who would ship it. NULL: not stated.';
COMMENT ON COLUMN verdicts.skip_votes IS 'Panel members who would skip it. NULL: not stated.';
COMMENT ON COLUMN verdicts.community_pct IS 'Share of the community that would ship it, percent, 0-100. NULL: no votes yet, or not stated.';
COMMENT ON COLUMN verdicts.community_votes IS 'Community votes cast; 0 where the page says that there are none yet. NULL: not stated.';
COMMENT ON COLUMN verdicts.pricing IS 'Pricing as printed; its tiers are in pricing_tiers. NULL: not stated.';
COMMENT ON COLUMN verdicts.best_for IS 'What it is best for, as printed. NULL: not stated.';
COMMENT ON COLUMN verdicts.category IS 'Category in the table, as printed. NULL: not stated.';
COMMENT ON COLUMN verdicts.verdict_raw IS 'The verdict cell as printed, for example Ship · 3 ship / 1 skip. NULL: no such cell.';
COMMENT ON COLUMN verdicts.community_raw IS 'The community cell as printed. NULL: no such cell.';
COMMENT ON COLUMN verdicts.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
