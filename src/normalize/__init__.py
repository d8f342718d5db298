"""Records in, rows out.

`corpus.normalize(observations)` takes every record extraction ever gave and returns the rows of every table: pages
merged over their renderings, tools by slug, repeated takes joined into reviews, each review with its tool and the
evidence for it. Pure: no network, clock, disk or randomness, and independent of the order of its input. Rooms, lowest
first: `parse`, `identity`, `dedup`, `attribution`, `rows`, `incremental`.
"""
