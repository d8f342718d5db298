"""Records in, rows out.

`corpus.normalize(observations)` takes everything extraction ever yielded and gives the rows of every table: pages
merged over their renderings, tools by slug, takes folded into reviews, each review with its tool and the reason why.
Pure: no network, no clock, no disk, no chance, and no dependence on the order of what it is given. Rooms, lowest
first: `parse`, `identity`, `dedup`, `attribution`, `rows`, `incremental`.
"""
