CREATE OR REPLACE VIEW evidence.mirrors AS
-- Independent sites share no review of 120 letters, and a copied page is a small share of a host. So a host is a mirror if
-- most of its reviews are on another host, too.
WITH thresholds AS (
    SELECT 0.5 AS least_share
),

shown AS (
    SELECT reviews.review_id, unnest(reviews.hosts) AS host, tools.host AS home
    FROM reviews
    INNER JOIN tools USING (tool_id)
),

host_reviews AS (
    SELECT host, count(*) AS reviews
    FROM shown
    GROUP BY host
),

pairs AS (
    SELECT
        one.host,
        other.host AS other_host,
        count(*) AS shared_reviews,
        count(*) FILTER (WHERE one.home = one.host) AS first_here,
        count(*) FILTER (WHERE one.home = other.host) AS first_there
    FROM shown AS one
    INNER JOIN shown AS other ON one.review_id = other.review_id AND one.host <> other.host
    GROUP BY one.host, other.host
),

shares AS (
    SELECT
        pairs.*,
        own.reviews,
        pairs.shared_reviews / own.reviews AS share,
        pairs.shared_reviews / others.reviews AS other_share
    FROM pairs
    INNER JOIN host_reviews AS own ON pairs.host = own.host
    INNER JOIN host_reviews AS others ON pairs.other_host = others.host
),

-- If each repeats the other, the copy is the host that showed fewer of the reviews first.
final AS (
    SELECT
        shares.host,
        shares.other_host AS mirror_of,
        shares.reviews,
        shares.shared_reviews,
        shares.share
    FROM shares, thresholds
    WHERE
        shares.share >= thresholds.least_share
        AND (
            shares.other_share < thresholds.least_share
            OR shares.first_here < shares.first_there
            OR shares.first_here = shares.first_there AND shares.host > shares.other_host
        )
    QUALIFY row_number() OVER (
        PARTITION BY shares.host ORDER BY shares.share DESC, shares.first_there DESC, shares.other_host
    ) = 1
)

SELECT * FROM final;

COMMENT ON VIEW evidence.mirrors IS
    'A host that repeats another host: at least half of its reviews are there, too. reviews has these reviews once, with the tools of the host that showed them first.';

COMMENT ON COLUMN evidence.mirrors.host IS 'The repeating host, lower case.';
COMMENT ON COLUMN evidence.mirrors.mirror_of IS 'The host with the most common reviews. If each repeats the other: the host that showed more of them first.';
COMMENT ON COLUMN evidence.mirrors.reviews IS 'Distinct reviews on its pages.';
COMMENT ON COLUMN evidence.mirrors.shared_reviews IS 'How many of them are on pages of mirror_of, too.';
COMMENT ON COLUMN evidence.mirrors.share IS 'Share of its reviews that are shared, 0-1, at least 0.5.';
