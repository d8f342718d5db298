"""Records in, rows out.

`normalize(observations)` takes everything extraction ever yielded and gives the rows of every table: pages merged over
their renderings, tools by slug, takes folded into reviews, each review with its tool and the reason why. Pure: no
network, no clock, no disk, no chance, and no dependence on the order of what it is given.
"""

from normalize.corpus import Corpus, normalize
from normalize.rows import KEYS, TABLES, Row

__all__ = ["KEYS", "TABLES", "Corpus", "Row", "normalize"]
