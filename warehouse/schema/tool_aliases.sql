CREATE TABLE IF NOT EXISTS tool_aliases (
    alias_id VARCHAR NOT NULL,
    tool_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    tagline VARCHAR,
    reason VARCHAR NOT NULL,
    load_id VARCHAR NOT NULL
);

COMMENT ON TABLE tool_aliases IS
    'An id a tool had before: made of (name, tagline) of a text dump, then claimed by the tool of a slug.';

COMMENT ON COLUMN tool_aliases.alias_id IS 'The former id, 32 hex digits. It is in no other table.';
COMMENT ON COLUMN tool_aliases.tool_id IS 'The tool that claimed it (tools.tool_id).';
COMMENT ON COLUMN tool_aliases.name IS 'Display name the former id was made of.';
COMMENT ON COLUMN tool_aliases.tagline IS 'Tagline the former id was made of. NULL: the dump had none.';
COMMENT ON COLUMN tool_aliases.reason IS 'Why the two are one tool, in words.';
COMMENT ON COLUMN tool_aliases.load_id IS 'The load that brought the row, or changed it last (loads.load_id).';
