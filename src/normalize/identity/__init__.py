"""Which page and which tools a record is about, and the ids of both. Imports `parse`.

`resolving` finds the identity of every snapshot by its `sightings`; `page_versions` makes versions of pages of these.
"""
