-- Tools and reviews that match a phrase: the most relevant tools, then the most relevant reviews, up to the limit for each.
CREATE OR REPLACE MACRO search(phrase, most := 10) AS TABLE
SELECT
    best.kind,
    best.relevance,
    tools.name,
    tools.slug,
    reviews.reviewer,
    reviews.score,
    reviews.verdict,
    coalesce(reviews.text, tools.tagline) AS text,
    best.id,
    tools.tool_id
FROM search.best_of(phrase, most) AS best
LEFT JOIN reviews ON best.kind = 'review' AND best.id = reviews.review_id
LEFT JOIN tools ON tools.tool_id = coalesce(reviews.tool_id, best.id)
ORDER BY best.kind DESC, best.relevance DESC, best.id;
