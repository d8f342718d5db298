"""Finds the tool and the reviewer of each review, with the evidence. Imports `parse`, `identity`, `dedup`.

`attribute` runs the steps and uses a review's own mentions (observed, matched, intersected). `exclusion` (excluded) and
`row_order` (ordered, reviewers) use other pages. `review_attribution` has the weight of each kind of evidence.
"""
