-- The pages of other sites, also those that are gone or could not be read. A list of the panel's own pages is none.
CREATE OR REPLACE MACRO other_pages() AS TABLE
SELECT *
FROM pages
WHERE
    kind <> 'panel'
    AND (
        kind NOT IN ('article', 'unread')
        OR host IS NULL
        OR host NOT IN (SELECT host FROM pages WHERE kind = 'panel' AND host IS NOT NULL)
    );
