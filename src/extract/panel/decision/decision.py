"""The Decision table: a label and a value for each tool, however the table is turned."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verdicts.corpus.enumerations import SIDES
from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.model.errors import PageRejected
from verdicts.extract.model.records import Decision, Doubt, Span
from verdicts.extract.panel.decision.decision_cells import read_cells
from verdicts.extract.panel.decision.decision_elements import read_elements
from verdicts.extract.panel.decision.decision_lines import readings
from verdicts.extract.panel.decision.decision_rows import TOOLS, Reading, Rows, field_of, is_sound
from verdicts.extract.panel.layout.elements import widest_element
from verdicts.extract.panel.words.page_words import DecisionField, PageWords


@dataclass(frozen=True, slots=True)
class DecisionTable:
    """Both columns, A then B, the blocks of the section that are none of its rows, and what copies say otherwise."""

    decisions: tuple[Decision, Decision]
    unread: tuple[int, ...]
    doubts: tuple[Doubt, ...] = ()


def read_decision(blocks: Sequence[Block], section: range, names: tuple[str, str], words: PageWords) -> DecisionTable:
    """The two columns.

    Raises `PageRejected` (`incomplete_decision`) where no way of turning the table gives each label one value a tool,
    or where two ways do that differ: shifting the values of one tool to the other would be worse than losing the page.
    """
    inner = [index for index in section if fold(blocks[index].text) != words.decision]
    reading, doubts = _by_cells(blocks, inner, names, words) or _by_order(blocks, inner, names, words)
    rows = reading.rows
    span = Span(section.start, section.stop - 1)
    first, second = (
        Decision(
            side=side,
            name=names[index],
            span=span,
            **{field: _value(rows, field, index, words) for field in words.decision_labels.values()},
        )
        for index, side in enumerate(SIDES)
    )
    return DecisionTable((first, second), reading.unread, doubts)


def _value(rows: Rows, field: DecisionField, index: int, words: PageWords) -> str | None:
    """A tool's value; of a price without the badge behind it: `$21/mo Best value`."""
    text = rows[field][index] if field in rows else None
    if field != "pricing" or text is None:
        return text
    badge = next((badge for badge in words.price_badges if fold(text).endswith(f" {badge}")), "")
    return text[: len(text) - len(badge)].rstrip(" ·•|-") if badge else text


def _by_cells(
    blocks: Sequence[Block], section: Sequence[int], names: tuple[str, str], words: PageWords
) -> tuple[Reading, tuple[Doubt, ...]] | None:
    """What the first table says, and where a copy of it says something else. None without a table of two tools."""
    tables: dict[int, list[int]] = {}
    for index in section:
        cell = blocks[index].cell
        if cell is not None:
            tables.setdefault(cell.table, []).append(index)
    found = [
        (table, reading)
        for table in tables.values()
        if (reading := read_cells(blocks, table, names, words)) is not None
        and is_sound(reading.rows, words, needs_verdict=False)
    ]
    if not found:
        return None
    first = found[0][1]
    held = {index for table, _ in found for index in table}
    beside = [index for index in section if index not in held]
    unread = [index for _, reading in found for index in reading.unread]
    doubts = tuple(doubt for _, copy in found[1:] for doubt in _differences(first, copy))
    return Reading(first.rows, (*unread, *beside)), doubts


def _differences(first: Reading, copy: Reading) -> Iterator[Doubt]:
    for field, values in copy.rows.items():
        for side, value, other in zip(SIDES, first.rows.get(field, (None, None)), values, strict=True):
            if value != other:
                yield Doubt("copies_differ", side, f"{field} {value}", f"{field} {other}")


def _by_order(
    blocks: Sequence[Block], section: Sequence[int], names: tuple[str, str], words: PageWords
) -> tuple[Reading, tuple[Doubt, ...]]:
    reading = _one_by_order(blocks, section, names, words)
    if reading is not None:
        return reading, ()
    parts = _halves(blocks, section, words)
    found = [_one_by_order(blocks, part, names, words) for part in parts]
    read = [reading for reading in found if reading is not None]
    if len(read) != TOOLS:
        raise PageRejected(
            "incomplete_decision",
            "the labels of the Decision table have not exactly one value for each of the two tools",
        )
    first, copy = read
    held = {index for part in parts for index in part}
    unread = [*first.unread, *copy.unread, *(index for index in section if index not in held)]
    return Reading(first.rows, tuple(unread)), tuple(_differences(first, copy))


def _halves(blocks: Sequence[Block], section: Sequence[int], words: PageWords) -> list[list[int]]:
    """A table and its copy, for phone and desktop: the elements around the first label that stands twice."""
    labels = [index for index in section if field_of(blocks[index].text, words) is not None]
    same = [index for index in labels if fold(blocks[index].text) == fold(blocks[labels[0]].text)]
    if len(same) != TOOLS:
        return []
    around = [widest_element(blocks, label, [other for other in same if other != label]) for label in same]
    return [[index for index in section if index in part] for part in around if part is not None]


def _one_by_order(
    blocks: Sequence[Block], section: Sequence[int], names: tuple[str, str], words: PageWords
) -> Reading | None:
    by_element = read_elements(blocks, section, names, words)
    if by_element is not None and is_sound(by_element.rows, words, needs_verdict=False):
        return by_element
    sound = [
        reading
        for reading in readings(blocks, section, names, words)
        if is_sound(reading.rows, words, needs_verdict=True)
    ]
    if any(reading.rows != sound[0].rows for reading in sound[1:]):
        raise PageRejected("incomplete_decision", "the Decision table can be read in two ways, which differ")
    return min(sound, key=lambda reading: len(reading.unread), default=None)


def panel_votes(decisions: Sequence[Decision], words: PageWords) -> tuple[int | None, int | None]:
    """How many of the panel voted on A and on B, as the verdict line says; None where it does not."""
    counts = [words.vote_counts.search(decision.verdict or "") for decision in decisions]
    of_a, of_b = [None if found is None else sum(map(int, found.groups())) for found in counts] or (None, None)
    return of_a, of_b
