"""Snapshots in, records out.

`page.extract` reads one page: HTML or a text dump becomes blocks, and the comparison grammar reads the blocks with the
words of a site's profile. The result is a `Comparison`, a `Document` (a page without a comparison that needs none) or a
`Reject` with the reason. Pure: no network, no clock, no disk except the profiles in the package; the same snapshot
always gives the same records. Rooms, lowest first: `model`, `html`, `grids`, `panel`, `statements`, `generic`,
`recipes`.
"""
