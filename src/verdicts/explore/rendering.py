"""Templates to HTML: every word is escaped, an unknown name is an error; and the filters for our values."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from math import floor, isfinite, log10
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from verdicts.explore.figures.labels import write_number
from verdicts.explore.figures.scores import draw_strip, strip_axis
from verdicts.warehouse.serving.answer_text import is_number

ABSENT = "–"
"""Shown if the corpus has no value."""

GLYPHS = {"ship": "▲", "mixed": "◆", "skip": "▼"}
"""A verdict has a glyph and a word; its colour comes last."""


def render(template: str, context: Mapping[str, Any]) -> str:
    return environment().get_template(f"{template}.html.jinja").render(context)


@cache
def environment() -> Environment:
    made = Environment(
        loader=PackageLoader("verdicts.explore", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = (verdict, number, day, moment, words, mark_words, price, format_difference, plural, is_web)
    made.filters |= {function.__name__: function for function in filters}
    made.globals |= {
        function.__name__: function
        for function in (cell, digits_by_column, find_shared_names, is_number, strip_axis, draw_strip, zip)
    }
    made.globals["ABSENT"] = ABSENT
    return made


def verdict(word: str | None) -> Markup:
    """`▲ ship` in its colour; another word as it is; a dash for None."""
    if word not in GLYPHS:
        return words(word)
    return Markup('<span class="verdict {0}">{1}&nbsp;{0}</span>').format(word, GLYPHS[word])


def number(value: float | Decimal | None, digits: int = 0) -> str:
    """`1,234`, with so many digits after the point; a dash for None."""
    return ABSENT if value is None else write_number(value, digits)


def price(amount: float) -> str:
    """`12`, `27.50`, `1,200`, `0.003`: with cents only if it has some."""
    if amount == int(amount):
        return f"{amount:,.0f}"
    return f"{amount:,.2f}" if round(amount, 2) == amount else f"{amount:,.4f}".rstrip("0")


def format_difference(value: float | None, digits: int = 1) -> str:
    """`+8.5`, `−13.1`, with a sign as wide as a digit; a dash for None."""
    return ABSENT if value is None else write_number(value, digits, "+").replace("-", "−")


def day(value: date | None) -> Markup:
    """`2026-11-21`, on one line."""
    return words(None) if value is None else Markup('<span class="day">{:%Y-%m-%d}</span>').format(value)


def moment(value: datetime | None) -> str:
    """`2026-11-21 18:34` in UTC."""
    return ABSENT if value is None else f"{value:%Y-%m-%d %H:%M}"


def words(value: object) -> Markup:
    """Words of a page, isolated from ours whatever their direction; a dash for None."""
    if value is None:
        return Markup('<span class="absent">–</span>')
    return Markup("<bdi>{}</bdi>").format(value)


def mark_words(value: object, spellings: Collection[str]) -> Markup:
    """The same, with these words marked in any case."""
    if value is None or not spellings:
        return words(value)
    either = "|".join(map(re.escape, spellings))
    parts = re.split(rf"(?<![^\W_])({either})(?![^\W_])", str(value), flags=re.IGNORECASE)
    marked = (
        Markup("<mark>{}</mark>").format(part) if number % 2 else escape(part) for number, part in enumerate(parts)
    )
    return words(Markup().join(marked))


def plural(count: int, singular: str, plural_form: str | None = None) -> str:
    """`1 page`, `7 pages`."""
    return f"{count:,} {singular if count == 1 else plural_form or singular + 's'}"


def is_web(address: str | None) -> bool:
    return address is not None and address.startswith(("https://", "http://"))


_LINKED = {
    "tool_id": "/tools/",
    "review_id": "/reviews/",
    "page_id": "/pages/",
    "other_id": "/id/",
    "name_key": "/mentioned/",
}
"""Columns of ids, and the page of each."""

ID_CHARS = 40
"""An id of this length, such as a crawl's `20260121T013100Z-0021`, does not break."""


TINY = 0.01
"""Smaller numbers have more than two decimals: a token costs $0.000003."""


def digits_by_column(rows: Iterable[Sequence[object] | Mapping[str, object]]) -> list[int]:
    """Decimals of each column of an answer, so that its numbers align.

    At most two, without zeros that every row has. A number below 0.01 shows two significant digits.
    """
    tuples = [tuple(row.values()) if isinstance(row, Mapping) else row for row in rows]
    return [max(map(_count_digits, column)) for column in zip(*tuples, strict=True)]


def find_shared_names(rows: Iterable[Mapping[str, Any]]) -> set[str | None]:
    """Names that several tools of an answer have."""
    tools = {(row.get("name"), row.get("slug")) for row in rows}
    return {name for name, times in Counter(name for name, _ in tools).items() if times > 1}


def _count_digits(value: object) -> int:
    if not isinstance(value, float | Decimal) or not isfinite(value):
        return 0
    size = abs(float(value))
    decimals = min(8, 1 - floor(log10(size))) if 0 < size < TINY else 2
    return len(f"{size:.{decimals}f}".partition(".")[2].rstrip("0"))


def cell(column: str, value: object, digits: int = 2) -> Markup:
    """A value of any column, as a question's table shows it; a fraction has `digits` decimals."""
    match value:
        case bool():
            markup = escape("yes" if value else "no")
        case float() | Decimal():
            markup = escape(f"{value:,.{digits}f}")
        case int():
            markup = escape(f"{value:,}")
        case datetime():
            markup = Markup('<span class="day">{}</span>').format(moment(value))
        case list():
            markup = Markup(", ").join(words(item) for item in value)
        case str() if column in _LINKED:
            markup = Markup('<a class="id" href="{}{}">{}</a>').format(_LINKED[column], value, value[:12])
        case str() if column.endswith("_id") and len(value) <= ID_CHARS:
            markup = Markup('<span class="nowrap">{}</span>').format(words(value))
        case str() if value in GLYPHS:
            markup = verdict(value)
        case _:
            markup = words(value)
    return markup
