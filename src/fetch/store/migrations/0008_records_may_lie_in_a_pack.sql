-- Compaction moves records into packs. A record keeps its name, which rows, datasets and readers refer to.
ALTER TABLE records ADD COLUMN is_dropped INTEGER NOT NULL DEFAULT 0;
ALTER TABLE records ADD COLUMN pack TEXT;
ALTER TABLE records ADD COLUMN pack_offset INTEGER;
CREATE INDEX records_by_pack ON records (pack, pack_offset) WHERE pack IS NOT NULL;
