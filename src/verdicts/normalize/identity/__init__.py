"""The page and the tools of each snapshot, and their ids. Imports `parse`.

`resolving` finds them from `sightings`; `page_versions` makes versions of pages from the result.
"""
