"""Which tool each review is about, how that is known, and which seat said it. Imports `parse`, `identity`, `dedup`.

`attribute` runs the steps and holds what a review's own mentions tell (observed, matched, intersected). `exclusion`
(excluded) and `row_order` (ordered, seats) decide by other pages. `review_attribution` says how far to trust each.
"""
