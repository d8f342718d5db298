"""Records in, rows out.

`normalize(observations)` takes everything extraction ever yielded and gives the rows of every table: pages merged over
their renderings, tools by slug, takes folded into reviews, each review with its tool and the reason why. Pure: no
network, no clock, no disk, no chance, and no dependence on the order of what it is given.
"""

from normalize.corpus import Corpus, normalize
from normalize.products import Candidate
from normalize.reach import Reach, key_of, reach_of
from normalize.rows import KEYS, TABLES, Row
from normalize.scope import Scope, within

NORMALIZER_VERSION = "2"
"""Raised with every change of its rules: rows of another version are made anew."""

__all__ = [
    "KEYS",
    "NORMALIZER_VERSION",
    "TABLES",
    "Candidate",
    "Corpus",
    "Reach",
    "Row",
    "Scope",
    "key_of",
    "normalize",
    "reach_of",
    "within",
]
