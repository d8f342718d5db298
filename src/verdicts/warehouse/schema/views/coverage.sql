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

host_takes AS (
    SELECT DISTINCT pages.host, reviews.review_id, reviews.attribution, reviews.seat, reviews.score
    FROM appearances
    INNER JOIN pages USING (page_id)
    INNER JOIN reviews USING (review_id)
    WHERE reviews.is_shown
),

take_counts AS (
    SELECT
        host,
        count(*) AS takes,
        count(*) FILTER (WHERE attribution = 'observed') AS observed_takes,
        count(*) FILTER (WHERE attribution = 'matched') AS matched_takes,
        count(*) FILTER (WHERE attribution = 'intersected') AS intersected_takes,
        count(*) FILTER (WHERE attribution = 'excluded') AS excluded_takes,
        count(*) FILTER (WHERE attribution = 'ordered') AS ordered_takes,
        100 * count(seat) / count(*) AS seat_pct,
        100 * count(score) / count(*) AS score_pct
    FROM host_takes
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
        coalesce(take_counts.takes, 0) AS takes,
        coalesce(take_counts.observed_takes, 0) AS observed_takes,
        coalesce(take_counts.matched_takes, 0) AS matched_takes,
        coalesce(take_counts.intersected_takes, 0) AS intersected_takes,
        coalesce(take_counts.excluded_takes, 0) AS excluded_takes,
        coalesce(take_counts.ordered_takes, 0) AS ordered_takes,
        take_counts.seat_pct,
        take_counts.score_pct,
        coalesce(discrepancy_counts.discrepancies, 0) AS discrepancies,
        coalesce(reject_counts.rejects, 0) AS rejects
    FROM hosts
    LEFT JOIN page_counts ON hosts.host IS NOT DISTINCT FROM page_counts.host
    LEFT JOIN take_counts ON hosts.host IS NOT DISTINCT FROM take_counts.host
    LEFT JOIN discrepancy_counts ON hosts.host IS NOT DISTINCT FROM discrepancy_counts.host
    LEFT JOIN reject_counts ON hosts.host IS NOT DISTINCT FROM reject_counts.host
)

SELECT * FROM final;

COMMENT ON VIEW ops.coverage IS
    'A host: how much of it is in the corpus, and how much is known about its takes. A take on two hosts counts for both.';

COMMENT ON COLUMN ops.coverage.host IS 'Host, lower case. NULL: files that came without an address.';
COMMENT ON COLUMN ops.coverage.pages IS 'Comparison pages of a panel.';
COMMENT ON COLUMN ops.coverage.gone_pages IS 'Such pages that are gone, according to the site.';
COMMENT ON COLUMN ops.coverage.ambiguous_pages IS 'Pages whose address can be split into two slugs in several ways.';
COMMENT ON COLUMN ops.coverage.documents IS 'Other pages that were read (pages.kind).';
COMMENT ON COLUMN ops.coverage.takes IS 'Distinct takes on its pages that pages show now.';
COMMENT ON COLUMN ops.coverage.observed_takes IS 'Takes with a label on the page that states the tool.';
COMMENT ON COLUMN ops.coverage.matched_takes IS 'Takes with a labelled copy on another page.';
COMMENT ON COLUMN ops.coverage.intersected_takes IS 'Takes with exactly one tool that is on all their pages.';
COMMENT ON COLUMN ops.coverage.excluded_takes IS 'Takes that can only be about the other tool.';
COMMENT ON COLUMN ops.coverage.ordered_takes IS 'Takes with only the order of rows as evidence: weak.';
COMMENT ON COLUMN ops.coverage.seat_pct IS 'Share of its takes with a known seat, percent.';
COMMENT ON COLUMN ops.coverage.score_pct IS 'Share of its takes with a known score, percent.';
COMMENT ON COLUMN ops.coverage.discrepancies IS 'Contradictions on its pages.';
COMMENT ON COLUMN ops.coverage.rejects IS 'Snapshots, or parts of them, that could not be read.';
