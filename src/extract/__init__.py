"""Snapshots in, records out.

`page.extract` reads one page: HTML or a text dump becomes blocks, the comparison grammar reads the blocks. What it
yields is a `Comparison`, a `Document` (a page that is no comparison and did not have to be one) or a `Reject` that
says why the page could not be read. Pure: no network, no clock, no disk; the same snapshot always gives the same
records. Rooms, lowest first: `model`, `html`, `panel`, `generic`.
"""
