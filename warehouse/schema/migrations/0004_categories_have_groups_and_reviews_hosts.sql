-- Each category is a group of its own until the next build folds synonyms.
ALTER TABLE tools ADD COLUMN category_group VARCHAR;
UPDATE tools SET category_group = category;

-- What a tier says of a free one in passing (`free tier available`) the next build reads.
ALTER TABLE pricing_tiers ADD COLUMN is_free BOOLEAN DEFAULT false;
ALTER TABLE pricing_tiers ALTER COLUMN is_free SET NOT NULL;
ALTER TABLE pricing_tiers ALTER COLUMN is_free DROP DEFAULT;
UPDATE pricing_tiers SET is_free = kind IN ('free', 'open_source') OR coalesce(amount = 0, false);

ALTER TABLE reviews ADD COLUMN hosts VARCHAR[] DEFAULT [];
ALTER TABLE reviews ALTER COLUMN hosts SET NOT NULL;
ALTER TABLE reviews ALTER COLUMN hosts DROP DEFAULT;
UPDATE reviews
SET hosts = shown.hosts
FROM (
    SELECT appearances.review_id, list_sort(list(DISTINCT pages.host)) AS hosts
    FROM appearances
    INNER JOIN pages USING (page_id)
    WHERE pages.host IS NOT NULL
    GROUP BY appearances.review_id
) AS shown
WHERE shown.review_id = reviews.review_id;
