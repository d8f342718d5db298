CREATE TABLE IF NOT EXISTS tools (
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
    last_seen_at TIMESTAMPTZ NOT NULL,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE tools IS
    'A tool under review. The slug is the tool, the display name is not: one name can belong to several tools.';

COMMENT ON COLUMN tools.tool_id IS 'Id of the tool: 32 hex digits made of (host, slug), or of (name, tagline) until a page with a slug claims it.';
COMMENT ON COLUMN tools.host IS 'Host whose slug names the tool. NULL: known from text dumps only.';
COMMENT ON COLUMN tools.slug IS 'Slug in the site''s addresses. NULL: known from text dumps only.';
COMMENT ON COLUMN tools.name IS 'Display name as last published.';
COMMENT ON COLUMN tools.tagline IS 'Tagline as last published. NULL: never shown.';
COMMENT ON COLUMN tools.description IS 'Description as last published. NULL: never shown.';
COMMENT ON COLUMN tools.category IS 'Category as last published: open text with synonyms, not folded. NULL: never shown.';
COMMENT ON COLUMN tools.entry IS 'What it takes to start, as last published: Free, Paid or another word. NULL: never shown.';
COMMENT ON COLUMN tools.product IS 'Product the tool seems to be a version of: a suggestion for grouping, never an identity.';
COMMENT ON COLUMN tools.first_seen_at IS 'When the oldest snapshot that shows the tool was fetched.';
COMMENT ON COLUMN tools.last_seen_at IS 'When the newest snapshot whose content was read and shows the tool was fetched.';
COMMENT ON COLUMN tools.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
