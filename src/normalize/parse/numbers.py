"""Ratings and counts as any site states them. Absent is None; broken raises; nothing is rounded or estimated. Pure."""

import re
from typing import NamedTuple

from normalize.parse.pricing.printed import ordinary, visible
from normalize.parse.pricing.separators import NUMBER, SPACED_NUMBER, reading
from normalize.parse.values import BrokenValue, text_or_none

MOST = 1e9
"""A larger number is no end of a scale and no count of ratings."""

MOST_UNSCALED = 100
"""A larger number is no rating where no scale is stated: `1,280` is 1.28."""

_STARS = r"(?:★|⭐|stars?|Sternen?|étoiles|estrellas)"
_COUNTED = (
    r"(?:reviews?|ratings?|votes?|opinions?|Bewertung(?:en)?|Rezension(?:en)?|avis|reseñas|opiniones|valoraciones"
    r"|recensioni|avaliações|beoordelingen)"
)
_COUNT = rf"(?:based on |from )?(?P<count>{SPACED_NUMBER})(?:\s(?:verified |user |customer )?{_COUNTED})?"
_RATING = re.compile(
    rf"(?:(?:rated|rating:?)\s|{_STARS}\s?)?(?P<value>{NUMBER})\s?"
    rf"(?:(?P<percent>%)|(?:/|(?:out of|of|von|sur|de)\s)\s?(?P<best>{NUMBER}))?(?:\s?{_STARS})?(?:\s\({_COUNT}\))?",
    re.IGNORECASE,
)
"""`4.5 out of 5 stars (2,310)`, `85%`, `★ 4.5`."""
_END = re.compile(rf"{NUMBER}%?")
_COUNT_ALONE = re.compile(rf"{_COUNT}|\({_COUNT.replace('<count>', '<in_parentheses>')}\)", re.IGNORECASE)


class Rating(NamedTuple):
    """A rating on the scale that ends at `best`; None where it is not stated."""

    value: float
    best: float | None


def rating(raw: str | None, best: float | None = None) -> Rating | None:
    """`8.5/10`, `85%`, `4,5 von 5`, `4.5 ★`; `best` is the end of the scale where the page states it apart.

    Three digits behind a separator are decimals where the scale allows no thousands: `1,280` is 1.28 of 5.
    Raises `BrokenValue` for a text that is no one number, and for one beyond its scale or of two scales: `6/5`.
    """
    text = _plain(raw)
    if text is None:
        return None
    match = _RATING.fullmatch(text)
    if match is None:
        raise BrokenValue("rating", text)
    printed = 100.0 if match["percent"] else None if match["best"] is None else scale_end(match["best"])
    if None not in {printed, best} and printed != best:
        raise BrokenValue("rating", text)
    most = best if printed is None else printed
    read = reading(match["value"])
    values = () if read is None else (read.value, read.otherwise)
    possible = [value for value in values if value is not None and value <= (most or MOST_UNSCALED)]
    if len(possible) != 1:
        raise BrokenValue("rating", text)
    return Rating(possible[0], most)


def scale_end(raw: str | None) -> float | None:
    """`5`, `10.0`, `100%`: the best rating there can be. Raises `BrokenValue` for what is no number above zero."""
    text = _plain(raw)
    if text is None:
        return None
    read = reading(text.removesuffix("%")) if _END.fullmatch(text) else None
    if read is None or read.otherwise is not None or not 0 < read.value <= MOST:
        raise BrokenValue("rating_best", text)
    return read.value


def count(raw: str | None) -> int | None:
    """`1,280`, `1.280`, `(2,310 reviews)`: three digits behind a separator are thousands.

    Raises `BrokenValue` for what is no whole number, or is not said exactly: `1.2k`, `350+`.
    """
    text = _plain(raw)
    if text is None:
        return None
    match = _COUNT_ALONE.fullmatch(text)
    read = None if match is None else reading(match["count"] or match["in_parentheses"])
    if read is None or not read.value.is_integer() or read.value > MOST:
        raise BrokenValue("ratings", text)
    return int(read.value)


def _plain(raw: str | None) -> str | None:
    return None if raw is None else text_or_none(" ".join(ordinary(visible(raw)).split()))
