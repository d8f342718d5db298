"""Terms that are printed once for several amounts: `$9 / $19 / $39 per month`. Pure."""

import re

from verdicts.normalize.parse.pricing.money import amounts
from verdicts.normalize.parse.pricing.price_grammar import BILLING
from verdicts.normalize.parse.pricing.price_limits import TERMS_ASIDE
from verdicts.normalize.parse.pricing.price_terms import price_of, terms_end

_YEAR_TO_MONTH = 5
"""`$20 / $200 per year`: an amount so much less may be one for a month."""

_DIRECTION = re.compile(r"(?:\s(?:input|output)(?:\stokens)?(?!\w))?", re.IGNORECASE)
"""`$3 input / $15 output per 1M tokens`."""


def terms_after(part: str, following: str) -> str:
    """The terms that a part takes from the next: `$3 / $15 per 1M tokens` is two prices per 1M tokens."""
    if not following:
        return ""
    own, first = amounts(part), next(iter(amounts(following)), None)
    if len(own) != 1 or first is None or following[: first.start].strip():
        return ""
    behind = _DIRECTION.match(following, first.end)
    if behind is None or not _DIRECTION.fullmatch(part.rstrip(), own[0].end):
        return ""
    if aside := TERMS_ASIDE.match(following, behind.end()):
        return aside[0]
    shared = following[behind.end() : terms_end(following, behind.end())]
    price = price_of(f"{following[: first.end]}{shared}", first)
    if price is None or BILLING.search(part):
        return ""
    # `Pro $20 / $200 per year` may be twenty a month, `Sonnet: $3 / $15 per 1M tokens` is three per 1M tokens.
    is_named = bool(part[: own[0].start].strip())
    may_be_month = price.period == "year" and (is_named or first.amount > _YEAR_TO_MONTH * own[0].amount)
    return "" if may_be_month else shared
