CREATE OR REPLACE VIEW ops.coverage AS
WITH page_counts AS (
    SELECT
        host,
        count(*) FILTER (WHERE kind = 'panel') AS pages,
        count(*) FILTER (WHERE kind = 'panel' AND is_gone) AS gone_pages,
        count(*) FILTER (WHERE is_ambiguous) AS ambiguous_pages,
        count(*) FILTER (WHERE kind NOT IN ('panel', 'unread')) AS documents
    FROM pages
    GROUP BY host
),

host_reviews AS (
    SELECT DISTINCT pages.host, reviews.review_id, reviews.attribution, reviews.reviewer, reviews.score
    FROM appearances
    INNER JOIN pages USING (page_id)
    INNER JOIN reviews USING (review_id)
    WHERE reviews.is_shown
),

review_counts AS (
    SELECT
        host,
        count(*) AS reviews,
        count(*) FILTER (WHERE attribution = 'observed') AS observed_reviews,
        count(*) FILTER (WHERE attribution = 'matched') AS matched_reviews,
        count(*) FILTER (WHERE attribution = 'intersected') AS intersected_reviews,
        count(*) FILTER (WHERE attribution = 'excluded') AS excluded_reviews,
        count(*) FILTER (WHERE attribution = 'ordered') AS ordered_reviews,
        100 * count(reviewer) / count(*) AS reviewer_pct,
        100 * count(score) / count(*) AS score_pct
    FROM host_reviews
    GROUP BY host
),

discrepancy_counts AS (
    SELECT pages.host, count(*) AS discrepancies
    FROM evidence.discrepancies
    INNER JOIN pages USING (page_id)
    GROUP BY pages.host
),

reject_counts AS (
    -- urn:sha256:... has no host.
    SELECT nullif(lower(regexp_extract(url, '^[a-z]+://([^/?#]+)', 1)), '') AS host, count(*) AS rejects
    FROM evidence.rejects
    GROUP BY 1
),

hosts AS (
    SELECT host FROM page_counts
    UNION
    SELECT host FROM reject_counts
),

final AS (
    SELECT
        hosts.host,
        coalesce(page_counts.pages, 0) AS pages,
        coalesce(page_counts.gone_pages, 0) AS gone_pages,
        coalesce(page_counts.ambiguous_pages, 0) AS ambiguous_pages,
        coalesce(page_counts.documents, 0) AS documents,
        coalesce(review_counts.reviews, 0) AS reviews,
        coalesce(review_counts.observed_reviews, 0) AS observed_reviews,
        coalesce(review_counts.matched_reviews, 0) AS matched_reviews,
        coalesce(review_counts.intersected_reviews, 0) AS intersected_reviews,
        coalesce(review_counts.excluded_reviews, 0) AS excluded_reviews,
        coalesce(review_counts.ordered_reviews, 0) AS ordered_reviews,
        review_counts.reviewer_pct,
        review_counts.score_pct,
        coalesce(discrepancy_counts.discrepancies, 0) AS discrepancies,
        coalesce(reject_counts.rejects, 0) AS rejects
    FROM hosts
    LEFT JOIN page_counts ON hosts.host IS NOT DISTINCT FROM page_counts.host
    LEFT JOIN review_counts ON hosts.host IS NOT DISTINCT FROM review_counts.host
    LEFT JOIN discrepancy_counts ON hosts.host IS NOT DISTINCT FROM discrepancy_counts.host
    LEFT JOIN reject_counts ON hosts.host IS NOT DISTINCT FROM reject_counts.host
)

SELECT * FROM final;

COMMENT ON VIEW ops.coverage IS
    'A host: how much of it is in the corpus, and how much is known about its reviews. A review on two hosts counts for both.';

COMMENT ON COLUMN ops.coverage.host IS 'Host, lower case. NULL: files that came without an address.';
COMMENT ON COLUMN ops.coverage.pages IS 'Comparison pages of a panel.';
COMMENT ON COLUMN ops.coverage.gone_pages IS 'Such pages that are gone, according to the site.';
COMMENT ON COLUMN ops.coverage.ambiguous_pages IS 'Pages whose address can be split into two slugs in several ways.';
COMMENT ON COLUMN ops.coverage.documents IS 'Other pages that were read (pages.kind).';
COMMENT ON COLUMN ops.coverage.reviews IS 'Distinct reviews on its pages that pages show now.';
COMMENT ON COLUMN ops.coverage.observed_reviews IS 'Reviews with a label on the page that states the tool.';
COMMENT ON COLUMN ops.coverage.matched_reviews IS 'Reviews with a labelled copy on another page.';
COMMENT ON COLUMN ops.coverage.intersected_reviews IS 'Reviews with exactly one tool that is on all their pages.';
COMMENT ON COLUMN ops.coverage.excluded_reviews IS 'Reviews that can only be about the other tool.';
COMMENT ON COLUMN ops.coverage.ordered_reviews IS 'Reviews with only the order of rows as evidence: weak.';
COMMENT ON COLUMN ops.coverage.reviewer_pct IS 'Share of its reviews with a known reviewer, percent.';
COMMENT ON COLUMN ops.coverage.score_pct IS 'Share of its reviews with a known score, percent.';
COMMENT ON COLUMN ops.coverage.discrepancies IS 'Contradictions on its pages.';
COMMENT ON COLUMN ops.coverage.rejects IS 'Snapshots, or parts of them, that could not be read.';
