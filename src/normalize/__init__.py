"""Records in, rows out, in rounds: what a night brings decides rows, and all other rows stay as they are.

`corpus.normalize(observations)` takes every record extraction ever gave and returns the rows of every table: pages
merged over their renderings, tools by slug, repeated takes joined into reviews, each review with its tool and the
evidence for it. `corpus.bring(state, night, read)` brings a state from before a night to after it, and returns the rows
that the night decides with their keys (`scope`). Both run the same rounds, each a function over the records of some
keys: identity, pages, tools, folded texts, reviews. Nights one by one give the rows of everything at once, whatever
the order and however it is parted into nights.

Pure: no network, clock, disk or randomness; where a state lies is its own matter. Rooms, lowest first: `parse`,
`state`, `identity`, `dedup`, `attribution`, `rows`, `outside`, `reviews`.
"""
