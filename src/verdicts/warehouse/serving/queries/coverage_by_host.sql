-- question: How much of each host is in the corpus, how well is it known, and which host does it repeat?
-- topic: crawl
-- picture: bars host pages
SELECT coverage.*, mirrors.mirror_of
FROM ops.coverage
LEFT JOIN evidence.mirrors ON coverage.host = mirrors.host
ORDER BY coverage.pages DESC, coverage.host
