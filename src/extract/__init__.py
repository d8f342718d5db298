"""Snapshots in, records out.

`page.extract` reads one page: HTML or a text dump becomes blocks, and the comparison grammar reads the blocks with the
words of a site's profile. It yields a `Comparison`, a `Document` (a page that is no comparison and did not have to be
one) or a `Reject` with the reason why the page could not be read. Pure: no network, no clock, no disk but for the
profiles, which are package data; the same snapshot always gives the same records. Rooms, lowest first: `model`,
`html`, `grids`, `panel`, `statements`, `generic`, `recipes`.
"""
