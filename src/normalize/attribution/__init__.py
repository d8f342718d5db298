"""Which tool each review is about, how that is known, and which seat said it. Imports `parse`, `identity`, `dedup`.

`attribute` runs the steps in order. Each kind of evidence has a module: `labels` (observed, matched), `intersection`
(intersected), `absence` and `full_panels` (excluded), `row_order` (ordered). `confidence` says how far to trust each.
"""
