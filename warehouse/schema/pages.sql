CREATE TABLE IF NOT EXISTS pages (
    page_id VARCHAR NOT NULL,
    url VARCHAR,
    host VARCHAR,
    title VARCHAR NOT NULL,
    renderings VARCHAR[] NOT NULL,
    is_ambiguous BOOLEAN NOT NULL,
    first_seen_at TIMESTAMPTZ NOT NULL,
    last_seen_at TIMESTAMPTZ NOT NULL,
    is_gone BOOLEAN NOT NULL,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE pages IS
    'A comparison page: one address that sets two tools side by side. Renderings of the same address (HTML, text dumps) are one row.';

COMMENT ON COLUMN pages.page_id IS 'Id of the page: 32 hex digits made of its canonical address, or of the pair of tools it compares where it came without one.';
COMMENT ON COLUMN pages.url IS 'Canonical address. NULL: the page came as a file without an address.';
COMMENT ON COLUMN pages.host IS 'Host of the address, lower case, compared exactly (a look-alike host is another host). NULL: no address.';
COMMENT ON COLUMN pages.title IS 'Title as published.';
COMMENT ON COLUMN pages.renderings IS 'The renderings it was read from, richest first: html, innertext, quotes.';
COMMENT ON COLUMN pages.is_ambiguous IS 'True where the address can be split into two slugs in more than one way and nothing decides it.';
COMMENT ON COLUMN pages.first_seen_at IS 'When the oldest snapshot whose content was read was fetched.';
COMMENT ON COLUMN pages.last_seen_at IS 'When the newest snapshot whose content was read was fetched. A revisit that found the same bytes stands in fetches only.';
COMMENT ON COLUMN pages.is_gone IS 'True once the site says that the page is gone (410, or 404 on several nights). Its rows stay.';
COMMENT ON COLUMN pages.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
