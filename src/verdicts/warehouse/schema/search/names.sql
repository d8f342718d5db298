CREATE TABLE IF NOT EXISTS search.names (
    tool_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    slug VARCHAR,
    name_key VARCHAR NOT NULL,
    slug_key VARCHAR
);

COMMENT ON TABLE search.names IS 'Names of tools, folded: case, accents, spaces and punctuation do not count.';

COMMENT ON COLUMN search.names.tool_id IS 'Tool (tools.tool_id).';
COMMENT ON COLUMN search.names.name IS 'Its name: Mistral 3 Small (22B).';
COMMENT ON COLUMN search.names.slug IS 'Its slug. NULL: known from text dumps only.';
COMMENT ON COLUMN search.names.name_key IS 'The name, folded: mistral3small22b.';
COMMENT ON COLUMN search.names.slug_key IS 'The slug, folded. NULL: no slug.';
