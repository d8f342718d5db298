CREATE TABLE IF NOT EXISTS documents (
    url VARCHAR NOT NULL,
    host VARCHAR,
    title VARCHAR,
    author VARCHAR,
    published_on VARCHAR,
    text VARCHAR NOT NULL,
    reader VARCHAR NOT NULL,
    first_seen_at TIMESTAMPTZ NOT NULL,
    last_seen_at TIMESTAMPTZ NOT NULL,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE documents IS
    'A crawled page that no panel judges: tool pages, news, articles, and comparisons of other sites.';

COMMENT ON COLUMN documents.url IS 'Address of the page; urn:sha256:... for a file that came without one.';
COMMENT ON COLUMN documents.host IS 'Host of the address, lower case. NULL: no address.';
COMMENT ON COLUMN documents.title IS 'Title as published. NULL: none found.';
COMMENT ON COLUMN documents.author IS 'Author as published. NULL: none found.';
COMMENT ON COLUMN documents.published_on IS 'Date of publication as the page states it, ISO 8601. NULL: not stated.';
COMMENT ON COLUMN documents.text IS 'Main text without navigation and boilerplate, paragraphs parted by line feeds.';
COMMENT ON COLUMN documents.reader IS
    'Who claimed the page. schema_org, table: it compares tools, see compared_tools. main_text: nobody, its text is kept.';
COMMENT ON COLUMN documents.first_seen_at IS 'When the oldest snapshot whose content was read was fetched.';
COMMENT ON COLUMN documents.last_seen_at IS 'When the newest snapshot whose content was read was fetched.';
COMMENT ON COLUMN documents.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
