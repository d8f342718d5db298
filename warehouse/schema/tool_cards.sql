CREATE TABLE IF NOT EXISTS tool_cards (
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
    description VARCHAR,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE tool_cards IS
    'A tool''s card on a page, as the newest snapshot of the page shows it.';

COMMENT ON COLUMN tool_cards.page_id IS 'Page (pages.page_id).';
COMMENT ON COLUMN tool_cards.side IS 'a: the card shown first, b: the second.';
COMMENT ON COLUMN tool_cards.tool_id IS 'Tool on the card (tools.tool_id).';
COMMENT ON COLUMN tool_cards.name IS 'Display name on this card.';
COMMENT ON COLUMN tool_cards.tagline IS 'Tagline on this card. NULL: not shown.';
COMMENT ON COLUMN tool_cards.category IS 'Category on this card. NULL: not shown.';
COMMENT ON COLUMN tool_cards.panel_ship_pct IS 'Share of the panel that would ship it, percent, 0-100. NULL: not shown.';
COMMENT ON COLUMN tool_cards.chip IS 'Verdict chip on this card: ship, mixed, skip. NULL: the rendering has none.';
COMMENT ON COLUMN tool_cards.community_pct IS 'Share of the community that would ship it, percent, 0-100. NULL: no votes yet, or not shown.';
COMMENT ON COLUMN tool_cards.entry IS 'What it takes to start, as printed: Free, Paid or another word. NULL: not shown.';
COMMENT ON COLUMN tool_cards.description IS 'Description on this card. NULL: not shown.';
COMMENT ON COLUMN tool_cards.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
