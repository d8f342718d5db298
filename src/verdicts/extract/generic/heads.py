"""The tool of each head of a table: a head equal to the name, with a plan or price after it, or shortened. Pure.

Badges, prices and buttons in a head do not belong to its name.
"""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from itertools import takewhile

from verdicts.extract.generic.bare_values import is_price, is_rating
from verdicts.extract.generic.label_words import (
    BESIDE_NAMES,
    NAME_PARTS,
    NUMBER_ALONE,
    PLAN_WORDS,
    TOOL_WORDS,
    is_attribute,
    is_beside_name,
    remove_rank,
)
from verdicts.extract.generic.naming import cut_name
from verdicts.extract.generic.stated import key
from verdicts.extract.grids.grid import Grid, GridCell
from verdicts.extract.html.cell_text import EMPTY, CellText

_VALUE = re.compile(r"[$€£¥₹★☆✓\d]")
"""Texts below a tool's name begin so: a price, a rating, its version: `Alpha $9`, `Alpha 2`."""

_GLUED_RANK = re.compile(r"#?(\d{1,3})([^\W\d].*)")

HEAD_MAX = 100
"""The most characters of a head: a tool's card also begins with its name."""


NAMES_MIN = 2

WIDE_MIN = (10, 5)
"""The fewest lines and names of a wide matrix without a word in its corner: `Comparison of Instant Messengers`."""

NAME_LINES_MAX = 3
"""Names are within this many rows or columns from the edge: after a rank, a picture."""


def with_bare_heads(grid: Grid) -> Grid:
    """The grid without badges, prices and buttons in its first row and column: `Sale`, `Alpha`, `$9`, `Add to cart`.

    A title over all names, such as `Tools`, is not a head.
    """
    columns = [[cell for cell in grid.cells if cell.column == column] for column in range(NAME_LINES_MAX)]
    # Pictures or ranks may come before the names.
    before = takewhile(_are_no_names, columns)
    edges = ([cell for cell in grid.cells if not cell.row], *columns[: sum(1 for _ in before) + 1])
    bare = {(cell.row, cell.column): text for edge in edges for cell, text in _bare_names(edge)}
    wide = (cell for edge in edges[:2] for cell in edge if cell.row + cell.column and cell.rows * cell.columns > 1)
    bare |= {(cell.row, cell.column): EMPTY for cell in wide if key(cell.said.text or "") in TOOL_WORDS}
    if _has_group_heads(grid):
        bare |= {(0, cell.column): EMPTY for cell in grid.cells if not cell.row}
    if not bare:
        return grid
    cells = (replace(cell, said=bare.get((cell.row, cell.column), cell.said)) for cell in grid.cells)
    return replace(grid, cells=tuple(cells))


def _has_group_heads(grid: Grid) -> bool:
    """Whether a wide matrix has groups over its names: `Decentralized` over `SimpleX`, `Delta Chat`."""
    groups = [cell for cell in grid.cells if not cell.row and cell.said.text]
    names = [cell.said.text for cell in grid.cells if cell.row == 1 and cell.said.text]
    is_wide = grid.rows >= WIDE_MIN[0] and grid.columns > WIDE_MIN[1] and all(cell.column for cell in groups)
    return is_wide and any(cell.columns > 1 for cell in groups) and len({*names}) == grid.columns - 1


def _are_no_names(column: Sequence[GridCell]) -> bool:
    texts = [cell.said.text for cell in column if cell.row]
    return all(text is None or NUMBER_ALONE.fullmatch(text) for text in texts)


def _bare_names(edge: Sequence[GridCell]) -> Sequence[tuple[GridCell, CellText]]:
    """The cells of an edge with the names in them, if these are all different, and no labels: `Price $9`.

    What stands in all of them behind the first words is a button: `Try it for free`.
    """
    parts = [cell.said.parts[1:] for cell in edge if cell.said.parts]
    shared = frozenset(parts[0]).intersection(*parts[1:]) if len(parts) > 1 else frozenset()
    bare = [
        (cell, _bare(text, shared)) for cell, text in zip(edge, _with_ranks([cell.said for cell in edge]), strict=True)
    ]
    names = [text.text for _, text in bare if text.text]
    is_of_names = len({*names}) == len(names) and not any(is_attribute(name) for name in names[1:])
    return bare if is_of_names and any(text is not cell.said for cell, text in bare) else ()


def _with_ranks(edge: Sequence[CellText]) -> Sequence[CellText]:
    """Names with their ranks set apart, if badges are glued to all of them: `1Kestrel`, `2Osprey`."""
    glued = [_GLUED_RANK.fullmatch(cell.text or "") for cell in edge]
    ranks = [int(rank[1]) for rank in glued if rank is not None]
    is_counted = len(ranks) >= max(NAMES_MIN, len(edge) - 1) and ranks == [*range(1, len(ranks) + 1)]
    return [
        cell if rank is None or not is_counted else CellText(f"{rank[1]}. {rank[2]}", links=cell.links)
        for cell, rank in zip(edge, glued, strict=True)
    ]


def _bare(said: CellText, shared: Set[str]) -> CellText:
    name = cut_name(" ".join(part for part in said.parts if part not in shared and not _is_no_name(part))).name
    # `$9` and `/mo`, or `per month`, are a value.
    is_name = name[:1].isalnum() and not is_price(f"$9 {name}")
    return replace(said, text=name) if is_name and name != " ".join(said.parts) else said


def _is_no_name(part: str) -> bool:
    return is_beside_name(part) or is_price(part) or is_rating(part)


def price_in(head: CellText) -> str | None:
    """The price in a head, if there is one alone."""
    prices = [part for part in head.parts if is_price(part)]
    prices = prices or [price for part in head.parts if (price := cut_name(part).price) is not None]
    return prices[0] if len(prices) == 1 else None


def find_columns(heads: Sequence[str], names: Sequence[str]) -> Mapping[int, Mapping[str, int]]:
    """For each name: its columns, by the rest of their heads. Names without a head get none.

    A head equal to the name wins over all others. Otherwise heads count that begin with the name, not with a longer
    name, and continue with a plan, a price or an aside. A tool with two equal columns gets none: they cannot be told
    apart.
    """
    by_name: dict[int, Mapping[str, int]] = {}
    keys = {key(name): number for number, name in enumerate(names)}
    texts = [remove_rank(head) if len(head) <= HEAD_MAX else "" for head in heads]
    for number, name in enumerate(names):
        fitting = [(column, "") for column, text in enumerate(texts) if key(text) == key(name)]
        if not fitting:
            owned = [(column, text) for column, text in enumerate(texts) if _longest(text, keys) == number]
            beside = [(column, _beside(text, name)) for column, text in owned]
            fitting = [(column, words) for column, words in beside if words is not None]
        columns = {words: column for column, words in fitting}
        if columns and len(columns) == len(fitting):
            by_name[number] = columns
    if len(by_name) < len(names) and len(shortened := _match_shortened(texts, names)) > len(by_name):
        return shortened
    return by_name


WRITTEN_OTHERWISE_SHARE = 0.8
"""The share of names that heads must have if they write names in their own way."""


def _match_shortened(texts: Sequence[str], names: Sequence[str]) -> Mapping[int, Mapping[str, int]]:
    """The columns of names that most heads shorten, or write with words behind.

    `Fellow Clara` for `Fellow Clara French Press`, `PMP` for `Project Management Professional (PMP)`, `Navee GT3 Best
    under $400`. A single one may be another product: `Claude` and `Claude Code`.
    """
    by_name: dict[int, Mapping[str, int]] = {}
    written = 0
    keys = [key(text) for text in texts]
    written_for = [
        {number for number, name in enumerate(names) if text and _is_written_for(text.split(), name)} for text in keys
    ]
    columns = {column: numbers for column, numbers in enumerate(written_for) if numbers}
    while (
        column := next((text_column for text_column, numbers in columns.items() if len(numbers) == 1), None)
    ) is not None:
        (number,) = columns.pop(column)
        by_name[number] = {"": column}
        written += keys[column] != key(names[number])
        # `Slate` shortens `Slate Desktop` alone if `Slate AI` is the head of `Slate AI Desktop`.
        for numbers in columns.values():
            numbers.discard(number)
    if columns:
        return {}
    is_most = len(by_name) >= max(NAMES_MIN + 1, WRITTEN_OTHERWISE_SHARE * len(names)) and written * 2 > len(by_name)
    # `Alpha` and `Beta` below `Alpha vs Beta VPN`: no other head, beside a corner.
    is_all = len(by_name) == len(names) and sum(map(bool, keys)) <= len(by_name) + 1
    are_short = all(
        len(keys[column].split()) <= len(key(names[at]).split()) for at, of in by_name.items() for column in of.values()
    )
    return by_name if is_most or (is_all and are_short) else {}


def _is_written_for(head: list[str], name: str) -> bool:
    """Whether these words are some of a name's, in its order from its first one, its short form, or it with more.

    `Copilot` is written for `GitHub Copilot`, and `Pro` for no `Alpha Pro`.
    """
    words = key(name).split()
    rest = iter(words)
    is_short = words[:1] == head[:1] and all(word in rest for word in head)
    is_short = is_short or (words[-len(head) :] == head and head[0] not in PLAN_WORDS)
    is_longer = bool(words) and head[: len(words)] == words
    return is_short or is_longer or f"({' '.join(head)})" in name.casefold()


def _longest(head: str, keys: Mapping[str, int]) -> int | None:
    """The position of the longest name that begins a head: `Claude Code (new)` belongs to `Claude Code`."""
    words = key(head).split()
    prefixes = (" ".join(words[:count]) for count in range(len(words), 0, -1))
    return next((keys[prefix] for prefix in prefixes if prefix in keys), None)


def _beside(head: str, name: str) -> str | None:
    """The rest of a head after the name; None if it is not its head: `Claude Code` is not a head of `Claude`."""
    parted = NAME_PARTS.search(head)
    if parted is not None and key(head[: parted.start()]) == key(name):
        return head[parted.end() :].strip().removesuffix(")").strip()
    if not key(head).startswith(f"{key(name)} "):
        return None
    rest = head[len(name) :].strip()
    first = key(rest.split(maxsplit=1)[0]) if rest else ""
    return rest if first in PLAN_WORDS | BESIDE_NAMES or _VALUE.match(rest) else None
