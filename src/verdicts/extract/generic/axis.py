"""Finds the cells of a table that name tools, from the table and its page only: points for independent evidence. Pure.

Entities are in rows in 94 % of the web's tables, but that decides nothing. Unclear evidence names nothing.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from verdicts.corpus.enumerations import GridReason, NameEvidence, NamesIn
from verdicts.extract.generic.heads import WIDE_MIN
from verdicts.extract.generic.label_words import (
    FEATURE_WORDS,
    NAME_MAX,
    OTHER_ATTRIBUTES,
    PLAN_WORDS,
    SUMMARIES,
    TOOL_WORDS,
    WORDS_MAX,
    is_attribute,
    remove_rank,
)
from verdicts.extract.generic.promise import Promise
from verdicts.extract.generic.stated import key
from verdicts.extract.grids.grid import PARTS, Grid, Line, Lines, read_lines, transpose

POINTS: Mapping[NameEvidence, int] = {
    "headings": 4,
    "count": 4,
    "title": 1,
    "repeated": 3,
    "links": 2,
    "corner": 2,
    "attributes": 2,
    "types": 2,
}

ACCEPTED_POINTS, AHEAD_POINTS, KINDS_MIN = 5, 3, 2
"""Points that names need, their lead over the other direction, and the kinds of evidence."""

OF_TOOLS: frozenset[NameEvidence] = frozenset({"attributes", "count"})
"""Kinds of evidence, one of which names need: songs and countries also have rows with links and numbers."""

PARTS_POINTS = 6
"""Points that names need outside table markup: much of a page is elements side by side."""

SHARE = 0.5
EMPTY_SHARE_MAX = 0.49

LEAST, NESTED_LEAST = (3, 2), (4, 4)
"""The fewest rows and columns of a table of data, and of one in a table: pages once were laid out in tables."""

LABEL_COLUMNS_MAX = 3
"""Names are within this many columns from the edge: after a rank, a picture."""

_PRICE = re.compile(r"(?:[$€£¥₹]\s?\d[\d.,]*+|(?<![\d.,])\d[\d.,]*+\s?[$€£¥₹])(?:\s?/\s?\w++)?|free", re.IGNORECASE)
_NUMBER = re.compile(r"[\d.,]++\s?(?:%|/\s?\d++)?")
_FLAG = re.compile(r"yes|no|[✓✗✔✘✅❌☑✖]\ufe0f?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PageNames:
    """Names outside a table: keys of title and headings, and of the lines of all tables."""

    headings: Set[str]
    promise: Promise
    lines: Mapping[frozenset[str], int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Axis:
    """The tools of a table in its order, without ranks, and the evidence for them."""

    names: tuple[str, ...]
    names_in: NamesIn
    evidence: frozenset[NameEvidence]

    @property
    def points(self) -> int:
        return sum(POINTS[kind] for kind in self.evidence)


@dataclass(frozen=True, slots=True)
class Finding:
    """The tools that a table names, or None if the evidence is unclear, and why."""

    axis: Axis | None
    reason: GridReason
    points: int = 0
    evidence: frozenset[NameEvidence] = frozenset()


def find_axis(grid: Grid, page: PageNames) -> Finding:
    """Finds which cells of an `is_filled` grid name tools.

    Without table markup more evidence is needed, and the attributes must be those of products.
    """
    lines = read_lines(grid)
    corner = {*_corner(lines)} if lines else set()
    ways = [
        # There are no tools below `Criterion` or beside `Tool`.
        None if corner & FEATURE_WORDS else _axis(lines, page, TOOL_WORDS, "rows"),
        None if corner & TOOL_WORDS else _axis(transpose(lines), page, FEATURE_WORDS, "columns"),
    ]
    named = [axis for axis in ways if axis is not None]
    tools = [axis for axis in named if _share([*map(key, axis.names)], PLAN_WORDS.__contains__) < SHARE]
    found = sorted(tools, key=lambda axis: -axis.points)
    if not found:
        return Finding(None, "plans" if named else "no_names")
    is_table = is_genuine(grid)
    best = found[0]
    why = _reason(found, ACCEPTED_POINTS if is_table else PARTS_POINTS, is_promised=page.promise.is_made)
    if page.promise.compares and is_table and len(found) == 1 and _is_laid_out(best, lines):
        why = "names_found"
    if why == "names_found" and not is_table and "attributes" not in best.evidence:
        why = "no_product_attributes"
    if why != "names_found" and len(found) < len(named):
        why = "plans"
    return Finding(best if why == "names_found" else None, why, best.points, best.evidence)


def _is_laid_out(axis: Axis, lines: Lines) -> bool:
    """Whether the form of a table shows its names below a title that compares: by its corner, or by its size."""
    is_wide = len(axis.names) >= WIDE_MIN[1] and len(lines) >= WIDE_MIN[0] and not lines[0].cells[0].text
    return "corner" in axis.evidence or is_wide


def _reason(found: Sequence[Axis], needed: int, *, is_promised: bool) -> GridReason:
    """Why the first of these axes, sorted by points, does not hold; or that it does."""
    best = found[0]
    if best.points < needed or len(best.evidence - {"title"}) < KINDS_MIN:
        return "few_points"
    if len(found) > 1 and best.points - found[1].points < AHEAD_POINTS:
        return "both_ways"
    is_kind = "corner" in best.evidence or best.evidence >= {"headings", "repeated"}
    is_of_tools = best.evidence & OF_TOOLS or (is_kind and is_promised)
    return "names_found" if is_of_tools else "no_product_attributes"


def is_genuine(grid: Grid) -> bool:
    """Whether a grid is a filled table of data by its markup, not just layout."""
    return grid.shape != "parts" and is_filled(grid)


def is_filled(grid: Grid) -> bool:
    """Whether a grid has rows and columns enough, half of them filled, and may hold data."""
    least = NESTED_LEAST if grid.depth else LEAST
    if grid.is_presentation or grid.rows < least[0] or grid.columns < least[1]:
        return False
    texts = [text for row in grid.texts() for text in row]
    return texts.count("") <= EMPTY_SHARE_MAX * len(texts)


def _axis(lines: Lines, page: PageNames, corners: Set[str], names_in: NamesIn) -> Axis | None:
    """The names below each other; the first line is the heads."""
    if len(lines) < 3 or len(lines[0].cells) < 2:
        return None
    for column in range(min(LABEL_COLUMNS_MAX, len(lines[0].cells) - 1)):
        cells = [line.cells[column] for line in lines[1:] if not _is_between(line, column)]
        names = tuple(remove_rank(cell.text or "") for cell in cells)
        # Names below `Model` are as long as those of shops.
        longer = 2 if corners is TOOL_WORDS and not corners.isdisjoint(_corner(lines, column)) else 1
        are_names = bool(names) and all(_is_name(name, longer) for name in names)
        if are_names and len({*map(key, names)}) == len(names) and not _are_attributes(names):
            links = tuple(cell.links[0] if len({*cell.links}) == 1 else None for cell in cells)
            return Axis(names, names_in, frozenset(_evidence(lines, column, names, links, page, corners)))
    return None


def _are_attributes(names: Sequence[str]) -> bool:
    """Whether at least two, and a quarter, of these say what products have: they head the other direction."""
    attributes = sum(map(is_attribute, names))
    return attributes >= max(KINDS_MIN, len(names) / 4)


def _is_between(line: Line, column: int) -> bool:
    """Whether a line is a sum, or a title without values: `Average`, `Up to 13 kg`."""
    has_values = any(cell.text for cell in (*line.cells[:column], *line.cells[column + 1 :]))
    return not has_values or is_summary(line.cells[column].text or "")


def is_summary(name: str) -> bool:
    """Whether a line sums others up: `Average`, `Total U.S. industry`."""
    words = key(name).split()
    return bool(words) and (" ".join(words) in SUMMARIES or words[0] in {"total", "totals", "average"})


def _is_name(name: str, longer: int = 1) -> bool:
    is_value = any(form.fullmatch(name) for form in (_PRICE, _NUMBER, _FLAG))
    is_short = len(name) <= NAME_MAX * longer and len(name.split()) <= WORDS_MAX * longer
    return bool(key(name)) and is_short and not is_value


def _evidence(
    lines: Lines,
    column: int,
    names: Sequence[str],
    links: Sequence[str | None],
    page: PageNames,
    corners: Set[str],
) -> Iterator[NameEvidence]:
    keys = [key(name) for name in names]
    if _share(keys, page.headings.__contains__) >= SHARE:
        yield "headings"
    if len(keys) == page.promise.count:
        yield "count"
    if page.promise.compares or page.promise.is_list:
        yield "title"
    if page.lines.get(frozenset(keys), 0) > 1 or (len(keys) > KINDS_MIN and page.headings >= {*keys}):
        yield "repeated"
    targets = [link for link in links if link is not None]
    if len(targets) >= SHARE * len(names) and len({*targets}) == len(targets):
        yield "links"
    heads = [key((cell.text or "").partition(PARTS)[0]) for cell in lines[0].cells[column + 1 :]]
    corner = _corner(lines, column)
    # `Lamp` over names, where the title has `Lamps compared`.
    is_promised = bool(corner[-1]) and any(f" {corner[-1]}s " in f" {key(title)} " for title in page.promise.titles)
    is_kind = is_promised and corners is TOOL_WORDS
    # `Name` also heads players and cities.
    if (OTHER_ATTRIBUTES.isdisjoint(heads) or len(keys) == page.promise.count) and (
        is_kind or not corners.isdisjoint(corner)
    ):
        yield "corner"
    if _share(heads, is_attribute) >= SHARE:
        yield "attributes"
    values = [[line.cells[other].text or "" for line in lines[1:]] for other in range(column + 1, len(lines[0].cells))]
    if any(all(form.fullmatch(value) for value in of_one) for of_one in values for form in (_PRICE, _NUMBER, _FLAG)):
        yield "types"


def _corner(lines: Lines, column: int = 0) -> Sequence[str]:
    """The last two words over the labels of a table: `Feature`, `Our Picks`."""
    return (key(lines[0].cells[column].text or "").split() or [""])[-2:]


def _share(keys: Sequence[str], holds: Callable[[str], bool]) -> float:
    return sum(map(holds, keys)) / len(keys)
