-- question: What is the text of this page?
-- topic: sites
-- parameter: page: its address, title or id; without it, every page
-- parameter: limit = 5: at most this many pages
-- picture: table
SELECT pages.title, documents.text, documents.page_id
FROM outside.documents
INNER JOIN pages USING (page_id)
WHERE $page::VARCHAR IS NULL OR documents.page_id = $page::VARCHAR
ORDER BY documents.page_id
LIMIT $limit::BIGINT
