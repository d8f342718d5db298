"""A string as it looks: what cannot be seen is dropped, wide and narrow forms are the ordinary ones. Pure."""

import re
import unicodedata

INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
"""Soft hyphens, zero widths and marks of direction."""

FORMS = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
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
"""Character by character, so that places in the string stay what they are: full width, spaces, dashes, separators."""

_FOOTNOTE = re.compile(r"(?<=[\w.$€£¥%)])(?:[¹²³⁰⁴-⁹](?![¹²³⁰⁴-⁹])|[*†‡§]{1,3})(?!\s?\d)")
"""`$20¹`, `$20*`. Two raised digits are cents: `$9⁹⁹`."""

_OTHER_DIGIT = re.compile(r"[^\x00-\x7f]")


def visible(text: str) -> str:
    """Without characters that cannot be seen."""
    return text if text.isascii() else INVISIBLE.sub("", text)


def ordinary(text: str) -> str:
    """The same characters in their ordinary forms; as long as `text`."""
    return text if text.isascii() else _OTHER_DIGIT.sub(_ascii_digit, text.translate(FORMS))


def without_footnotes(text: str) -> str:
    """Spaces where marks of footnotes stand; as long as `text`."""
    return _FOOTNOTE.sub(lambda mark: " " * len(mark[0]), text)


def _ascii_digit(match: re.Match[str]) -> str:
    """`٤` is 4; a raised ² is no digit of a number."""
    digit = unicodedata.decimal(match[0], None)
    return match[0] if digit is None else str(digit)
