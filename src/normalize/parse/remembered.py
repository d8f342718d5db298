"""Parsers that remember: a site says a few hundred things, each on thousands of pages."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar, cast

TEXTS_MAX = 16_384
"""Strings that a parser remembers, the ones read last."""

LENGTH_MAX = 200
"""Characters of a string that is remembered, at most: what a hostile page says once is not kept."""

Raw = TypeVar("Raw", bound=str | None)
Parsed = TypeVar("Parsed")
Words = ParamSpec("Words")


def remembered(
    parse: Callable[Concatenate[Raw, Words], Parsed],
) -> Callable[Concatenate[Raw, Words], Parsed]:
    """A pure parser of a string that parses it once for each of its other arguments. What it raises, it raises anew."""
    known = cast("Callable[Concatenate[Raw, Words], Parsed]", lru_cache(maxsize=TEXTS_MAX)(parse))

    @wraps(parse)
    def recall(raw: Raw, /, *words: Words.args, **options: Words.kwargs) -> Parsed:
        is_short = raw is None or len(raw) <= LENGTH_MAX
        return (known if is_short else parse)(raw, *words, **options)

    return recall
