-- Pages of a host that are due and not settled by a crawl, what is known of each: never fetched ones first, then those due
-- for longest. is_recorded: only the visits of a page write these rows, so that a first visit need not ask for each.
SELECT
    url, address, sha256, etag, last_modified, is_etag_wrong, fetched_at, unconditional_at, interval_s, lastmod, alias_of,
    hops, depth, url_status,
    EXISTS (SELECT 1 FROM snapshots WHERE snapshots.url = urls.url)
    OR EXISTS (SELECT 1 FROM page_rights WHERE page_rights.url = urls.url)
    OR EXISTS (SELECT 1 FROM stubs WHERE stubs.url = urls.url) AS is_recorded
FROM urls
WHERE host = :host AND due_at <= :until AND handled_in IS NOT :crawl_id
ORDER BY due_at, rowid
LIMIT :count
