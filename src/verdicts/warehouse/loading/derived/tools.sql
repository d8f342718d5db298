-- The product of a tool: the name of its group, else its own name. If two products have the same name, a slug is added.
WITH own AS (
    SELECT
        tools.tool_id,
        tools.product,
        coalesce(products.product_id, tools.tool_id) AS product_id,
        coalesce(products.name, tools.name) AS name,
        lower(nfc_normalize(coalesce(products.name, tools.name))) AS folded
    FROM tools
    LEFT JOIN evidence.products USING (tool_id)
),

uses AS (
    SELECT folded, count(DISTINCT product_id) AS products
    FROM own
    GROUP BY ALL
),

named AS (
    SELECT
        own.tool_id,
        CASE
            WHEN uses.products = 1 THEN own.name
            ELSE own.name || ' (' || coalesce(heads.slug, left(own.product_id, 8)) || ')'
        END AS product
    FROM own
    INNER JOIN uses ON uses.folded = own.folded
    INNER JOIN tools AS heads ON heads.tool_id = own.product_id
)

UPDATE tools
SET product = named.product, load_id = getvariable('load_id')
FROM named
WHERE named.tool_id = tools.tool_id AND named.product IS DISTINCT FROM tools.product
