"""Which page and which tools a record is about, and the ids of both. Imports `parse`, `state`.

`identity_round` resolves `sightings` by the steps in `resolving`; `page_versions` makes versions of these.
"""
