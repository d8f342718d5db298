"""Whether a tier costs nothing, by its kind and amount, and by what it says of itself in passing."""

from verdicts.corpus.enumerations import PriceKind
from verdicts.normalize.parse.pricing.price_kinds import FREE_KINDS, FREE_TIER
from verdicts.normalize.parse.pricing.price_limits import NEGATED


def is_free(kind: PriceKind, amount: float | None, raw: str) -> bool:
    """Whether a tier is free, open source, or names a free tier beside what is paid for.

    `Pay-per-token via X (free tier available)` does; `No free plan`, `14-day free trial` and `free credits` do not.
    """
    return kind in FREE_KINDS or amount == 0 or FREE_TIER.search(NEGATED.sub("", raw)) is not None
