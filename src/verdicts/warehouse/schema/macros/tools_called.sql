-- The tools with this id, beginning of an id, slug or name; if there is none,
-- tools with a similar name. Case, accents and punctuation do not count.
CREATE OR REPLACE MACRO tools_called(phrase, most := 10) AS TABLE
WITH asked AS (
    SELECT trim(phrase) AS words, search.key_of(phrase) AS key
),

calls AS (
    SELECT
        names.tool_id,
        CASE
            WHEN names.tool_id = asked.words THEN 1
            WHEN names.slug = asked.words THEN 2
            WHEN names.name = asked.words THEN 3
            WHEN names.slug_key = asked.key OR names.name_key = asked.key THEN 4
            WHEN starts_with(names.tool_id, asked.words) THEN 5
        END AS place
    FROM search.names, asked
    WHERE asked.key <> ''
    UNION ALL
    SELECT tool_aliases.tool_id, CASE WHEN tool_aliases.alias_id = asked.words THEN 1 ELSE 5 END
    FROM evidence.tool_aliases, asked
    WHERE asked.key <> '' AND starts_with(tool_aliases.alias_id, asked.words)
),

called AS MATERIALIZED (
    SELECT tool_id, min(place) AS place
    FROM calls
    WHERE place IS NOT NULL
    GROUP BY tool_id
),

near AS (
    SELECT
        names.tool_id,
        6 AS place,
        greatest(
            CASE WHEN starts_with(names.name_key, asked.key) THEN 1.0 ELSE 0.0 END,
            jaro_winkler_similarity(names.name_key, asked.key),
            coalesce(jaro_winkler_similarity(names.slug_key, asked.key), 0.0)
        ) AS likeness
    FROM (SELECT * FROM asked WHERE key <> '' AND NOT EXISTS (FROM called)) AS asked, search.names
),

candidates AS (
    SELECT tool_id, place, 1.0 AS likeness
    FROM called
    WHERE place = (SELECT min(place) FROM called)
    UNION ALL
    SELECT tool_id, place, likeness
    FROM near
    WHERE likeness >= 0.88
)

SELECT
    CASE candidates.place
        WHEN 1 THEN 'id' WHEN 2 THEN 'slug' WHEN 5 THEN 'beginning of the id' WHEN 6 THEN 'near' ELSE 'name'
    END AS how,
    tools.name,
    tools.slug,
    tools.host,
    tools.tagline,
    candidates.likeness,
    tools.tool_id
FROM candidates
INNER JOIN tools USING (tool_id)
ORDER BY candidates.likeness DESC, len(tools.name), tools.name, tools.slug, tools.tool_id
LIMIT most;
