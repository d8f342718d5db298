-- A pattern of the first words of names that came or went; NULL where none did.
SELECT string_agg(DISTINCT regexp_escape(split_part(lower(name), ' ', 1)), '|') FROM touched_renamed_tools
