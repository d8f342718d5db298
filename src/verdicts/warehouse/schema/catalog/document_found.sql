-- A page of another site as the answer of a search for its address or title.
SELECT
    'other site' AS kind,
    NULL::DOUBLE AS relevance,
    title AS name,
    NULL AS reviewer,
    NULL AS score,
    NULL AS verdict,
    address AS text,
    url AS id
FROM outside.documents
WHERE url = $url
