"""Numbers as any site prints them, and ratings and counts made of them. Nothing is rounded or estimated.

Absent is None; broken raises.
"""

import re
import unicodedata
from typing import NamedTuple

from verdicts.corpus.text import FULL_WIDTH
from verdicts.normalize.parse.values import BrokenValue, strip_absent

INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
"""Soft hyphens, zero widths and marks of direction."""

FORMS = {
    **FULL_WIDTH,
    **dict.fromkeys((0x00A0, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000), " "),
    **dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2212, 0xFE63), "-"),
    **dict.fromkeys((0x2044, 0x2215), "/"),
    0x2019: "'",
    0x066A: "%",
    0x066B: ".",
    0x066C: ",",
    0xFE69: "$",
    0xFFE0: "¢",
    0xFFE1: "£",
    0xFFE5: "¥",
    0xFFE6: "₩",
}
"""Usual forms of characters, one for one, so that positions in the string stay: full width, spaces, dashes,
separators."""

_OTHER_DIGIT = re.compile(r"[^\x00-\x7f]")


def remove_invisible(text: str) -> str:
    """The text without invisible characters."""
    return text if text.isascii() else INVISIBLE.sub("", text)


def replace_unusual(text: str) -> str:
    """The text in ordinary characters, of the same length."""
    return text if text.isascii() else _OTHER_DIGIT.sub(_replace_digit, text.translate(FORMS))


def _replace_digit(match: re.Match[str]) -> str:
    """`٤` is 4; a raised ² is no digit of a number."""
    digit = unicodedata.decimal(match[0], None)
    return match[0] if digit is None else str(digit)


NUMBER = r"(?:\d{1,15}(?:[.,']\d{2,3}(?!\d)){0,5}(?:[.,]\d{1,20})?|\.\d{1,20})(?!\d)"
GROUPS_APART = r"[1-9]\d{0,2}(?: \d{3}){1,3}(?:[.,]\d{2})?(?=\s?(?:$|[/),]|per\b|p\.))"
"""`$1 299 per year`: after a sign, and only if terms follow, because `$5 100 credits` is two numbers."""

SPACED_NUMBER = rf"(?:\d{{1,3}}(?: \d{{3}}){{1,4}}(?!\d)(?:[.,]\d{{1,20}})?(?!\d)|{NUMBER})"

MYRIADS = r"\d{1,5}[万만](?=\d)"
"""Before the rest of a number: `3万9800`."""
_MYRIADS = re.compile(MYRIADS)


class Reading(NamedTuple):
    """`otherwise`: the number if its only separator, as in `1.280`, marks decimals instead of thousands."""

    value: float
    otherwise: float | None = None


def parse_number(raw: str) -> Reading | None:
    """`1,299.00`, `1.299,00`, `1 299`, `1'299`, `9,99`; None if the separators contradict each other (`1,2,3`)."""
    if myriads := _MYRIADS.match(raw):
        rest = parse_number(raw[myriads.end() :])
        return rest and Reading(rest.value + 10_000 * float(myriads[0][:-1]))
    if "'" in raw and not re.fullmatch(r"\d{1,3}(?:'\d{3})+(?:[.,]\d+)?", raw):
        return None
    digits = raw.replace("'", "").replace(" ", "")
    marks = [mark for mark in digits if mark in ".,"]
    if not marks:
        return Reading(float(digits))
    decimal = marks[-1]
    head, _, tail = digits.rpartition(decimal)
    if len(set(marks)) == 2:
        return None if marks.count(decimal) > 1 else _parse_groups(head, tail)
    if len(marks) > 1:
        return _parse_groups(digits, "")
    value = float(f"{head or '0'}.{tail}")
    may_group = len(tail) == 3 and 1 <= len(head) <= 3 and head[0] != "0" and raw == digits
    return Reading(float(head + tail), value) if may_group else Reading(value)


def _parse_groups(whole: str, decimals: str) -> Reading | None:
    """`1,29,999` too: the last group has three digits, those before two or three."""
    first, *groups = re.split(r"[.,]", whole)
    if not first or any(len(group) not in {2, 3} for group in groups):
        return None
    if groups and (len(first) > 3 or len(groups[-1]) != 3):
        return None
    return Reading(float(f"{first}{''.join(groups)}.{decimals or '0'}"))


MOST = 1e9
"""A larger number is neither the end of a scale nor a count of ratings."""

MOST_UNSCALED = 100
"""Without a stated scale a larger number is not a rating: `1,280` is 1.28."""

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
    rf"(?:{_WORD}(?>(?: {_WORD}){{0,2}})(?:: ?| ?\(| [-–—] ))?"
    rf"(?P<rating>{NUMBER}\s?(?:/|out of |von |sur )\s?(?:5|10|100)(?:\.0)?)\)?"
    rf"(?:,? ?[-–—(]? ?(?:on )?(?:{_WORD}|G2)(?>(?: {_WORD}){{0,2}})\)?)?",
    re.IGNORECASE,
)
"""With its scale a rating may stand among words: `Excellent (4.5/5)`, `8.5/10 Great`, `4.6/5 (G2)`."""
_DRAWN = re.compile(r"(?P<whole>[★⭐]{1,10}+)(?P<half>½)?(?P<empty>[☆]{0,9}+)")
_END = re.compile(rf"{NUMBER}%?")
_COUNT_ALONE = re.compile(rf"{_COUNT}|\({_COUNT.replace('<count>', '<in_parentheses>')}\)", re.IGNORECASE)


class Rating(NamedTuple):
    """A rating on the scale that ends at `best`; None if the scale is not stated."""

    value: float
    best: float | None


def parse_rating(raw: str | None, best: float | None = None) -> Rating | None:
    """`8.5/10`, `85%`, `4,5 von 5`, `4.5 ★`, `★★★★☆`. `best`: the end of the scale if it is stated elsewhere.

    Three digits after a separator are decimals if the scale has no thousands: `1,280` is 1.28 of 5. Raises
    `BrokenValue` for a text that is not exactly one number, and for a number beyond its scale or with two scales:
    `6/5`.
    """
    text = _clean(raw)
    if text is None:
        return None
    drawn = _DRAWN.fullmatch(text)
    if drawn is not None:
        return _count_stars(text, drawn)
    worded = _IN_WORDS.fullmatch(text)
    match = _RATING.fullmatch(text if worded is None else worded["rating"])
    if match is None:
        raise BrokenValue("rating", text)
    printed = 100.0 if match["percent"] else None if match["best"] is None else parse_scale_end(match["best"])
    if None not in {printed, best} and printed != best:
        raise BrokenValue("rating", text)
    most = best if printed is None else printed
    read = parse_number(match["value"])
    values = () if read is None else (read.value, read.otherwise)
    possible = [value for value in values if value is not None and value <= (most or MOST_UNSCALED)]
    if len(possible) != 1:
        raise BrokenValue("rating", text)
    return Rating(possible[0], most)


def _count_stars(text: str, drawn: re.Match[str]) -> Rating:
    """`★★★★☆` is 4 of 5. Where none is empty, how many there are at most is known of five and of ten alone."""
    value = len(drawn["whole"]) + (0.5 if drawn["half"] else 0.0)
    best = len(drawn["whole"]) + len(drawn["half"] or "") + len(drawn["empty"])
    if best not in {5, 10}:
        raise BrokenValue("rating", text)
    return Rating(value, float(best))


def parse_scale_end(raw: str | None) -> float | None:
    """`5`, `10.0`, `100%`: the best possible rating. Raises `BrokenValue` if it is not a number above zero."""
    text = _clean(raw)
    if text is None:
        return None
    read = parse_number(text.removesuffix("%")) if _END.fullmatch(text) else None
    if read is None or read.otherwise is not None or not 0 < read.value <= MOST:
        raise BrokenValue("rating_best", text)
    return read.value


def parse_count(raw: str | None) -> int | None:
    """`1,280`, `1.280`, `(2,310 reviews)`: three digits after a separator are thousands.

    Raises `BrokenValue` for a text that is not a whole number, or not an exact one: `1.2k`, `350+`.
    """
    text = _clean(raw)
    if text is None:
        return None
    match = _COUNT_ALONE.fullmatch(text)
    read = None if match is None else parse_number(match["count"] or match["in_parentheses"])
    if read is None or not read.value.is_integer() or read.value > MOST:
        raise BrokenValue("ratings", text)
    return int(read.value)


def _clean(raw: str | None) -> str | None:
    return None if raw is None else strip_absent(" ".join(replace_unusual(remove_invisible(raw)).split()))
