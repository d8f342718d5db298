"""What a night decides of a corpus: all rows of these keys, whether they are still there or not."""

from typing import NamedTuple


class Scope(NamedTuple):
    """`pages` and `urls` are pages of comparisons and addresses of anything; `texts` were folded anew.

    `reviews` are those of these texts: their row in `reviews` is decided, and all their appearances and evidence where
    they are `rejudged` as well. `aliases` are ids that were or are a tool's alias, `products` tools that products were
    sought for, `doubted` pages whose discrepancies may be others. `matched` are addresses whose tools were sought among
    those of the panel.
    """

    pages: frozenset[str]
    urls: frozenset[str]
    tools: frozenset[str]
    aliases: frozenset[str]
    products: frozenset[str]
    texts: frozenset[str]
    reviews: frozenset[str]
    rejudged: frozenset[str]
    doubted: frozenset[str]
    matched: frozenset[str]
