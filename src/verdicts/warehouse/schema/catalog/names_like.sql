-- Names of tools on pages that are similar to these words, the most similar first.
SELECT any_value(name) AS name, jaro_winkler_similarity(name_key, search.key_of($words)) AS likeness
FROM mentions
GROUP BY name_key
HAVING likeness >= 0.88
ORDER BY likeness DESC, name
LIMIT 5
