"""Ratings and counts as any site states them. Absent is None; broken raises; nothing is rounded or estimated. Pure."""

import re
from typing import NamedTuple

from verdicts.normalize.parse.pricing.printed import ordinary, visible
from verdicts.normalize.parse.pricing.separators import NUMBER, SPACED_NUMBER, reading
from verdicts.normalize.parse.values import BrokenValue, text_or_none

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
_WORD = r"[^\W\d_]{1,20}+"
_RATING = re.compile(
    rf"(?:(?:(?:our |overall |user )?(?:rated|rating|score):?)\s|{_STARS}\s?|[★⭐☆½]{{5,6}}\s?)?(?P<value>{NUMBER})\s?"
    rf"(?:(?P<percent>%)|(?:/|(?:out of|of|von|sur|su|de)\s)\s?(?P<best>{NUMBER}))?(?:\s?{_STARS})?(?:\s\({_COUNT}\))?",
    re.IGNORECASE,
)
"""`4.5 out of 5 stars (2,310)`, `85%`, `★ 4.5`."""
_IN_WORDS = re.compile(
    rf"(?:{_WORD}(?: {_WORD}){{0,2}}+(?:: ?| ?\(| [-–—] ))?"
    rf"(?P<rating>{NUMBER}\s?(?:/|out of |von |sur )\s?(?:5|10|100)(?:\.0)?)\)?"
    rf"(?:,? ?[-–—(]? ?(?:on )?(?:{_WORD}|G2)(?: {_WORD}){{0,2}}+\)?)?",
    re.IGNORECASE,
)
"""With its scale a rating may stand among words: `Excellent (4.5/5)`, `8.5/10 Great`, `4.6/5 (G2)`."""
_DRAWN = re.compile(r"(?P<whole>[★⭐]{1,10}+)(?P<half>½)?(?P<empty>[☆]{0,9}+)")
_HALVES = re.compile(r"(\d)\s?½")
_END = re.compile(rf"{NUMBER}%?")
_COUNT_ALONE = re.compile(rf"{_COUNT}|\({_COUNT.replace('<count>', '<in_parentheses>')}\)", re.IGNORECASE)


class Rating(NamedTuple):
    """A rating on the scale that ends at `best`; None where it is not stated."""

    value: float
    best: float | None


def rating(raw: str | None, best: float | None = None) -> Rating | None:
    """`8.5/10`, `85%`, `4,5 von 5`, `4.5 ★`, `★★★★☆`, `4½`. `best`: the end of the scale where it is stated apart.

    Three digits behind a separator are decimals where the scale allows no thousands: `1,280` is 1.28 of 5.
    Raises `BrokenValue` for a text that is no one number, and for one beyond its scale or of two scales: `6/5`.
    """
    text = _plain(raw)
    if text is None:
        return None
    drawn = _DRAWN.fullmatch(text)
    if drawn is not None:
        return _drawn(text, drawn)
    worded = _IN_WORDS.fullmatch(text)
    match = _RATING.fullmatch(_HALVES.sub(r"\1.5", text) if worded is None else worded["rating"])
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


def _drawn(text: str, drawn: re.Match[str]) -> Rating:
    """`★★★★☆` is 4 of 5. Where none is empty, how many there are at most is known of five and of ten alone."""
    value = len(drawn["whole"]) + (0.5 if drawn["half"] else 0.0)
    best = len(drawn["whole"]) + len(drawn["half"] or "") + len(drawn["empty"])
    if best not in {5, 10}:
        raise BrokenValue("rating", text)
    return Rating(value, float(best))


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
