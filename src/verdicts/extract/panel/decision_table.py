"""The Decision table: each label owns a value of each tool, in its row, its column, its element, or behind it."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TypeAlias

from verdicts.corpus.enumerations import SIDES
from verdicts.extract.model.blocks import Cell, count_shared_depth
from verdicts.extract.model.records import Decision, PageRejected
from verdicts.extract.panel.profile import PERCENT, DecisionField, PageWords, read_verdict_line
from verdicts.extract.panel.take_cells import PanelVotes
from verdicts.extract.panel.texts import SHORT_MAX, TOOLS, Labels, Texts

Names: TypeAlias = tuple[str, str]
Rows: TypeAlias = Mapping[DecisionField, tuple[str | None, ...]]
"""The values of A and of B by field."""


def read_decision(page: Texts, section: range | None, names: Names) -> tuple[tuple[Decision, ...], Sequence[int]]:
    """Both columns, A then B, and the section's blocks outside its rows.

    Raises `PageRejected`: `incomplete_decision` if a label does not own one value of each tool, or the head names
    another tool: values shifted to the other tool would be worse than a lost page. `incomplete_card` for three tools.
    """
    if section is None:
        return (), ()
    inner = [index for index in section if page.folded[index] != page.words.decision]
    choices = _label_choices(page, inner)
    readings = [(*_read_rows(page, inner, names, labels), {*choices[0]}.difference(labels)) for labels in choices]
    sound = [
        (rows, unread)
        for rows, unread, as_values in readings
        if rows and _is_sound(rows, page.words) and as_values.isdisjoint(unread)
    ]
    if not sound:
        words = "the labels of the Decision table do not have exactly one value for each tool"
        raise PageRejected("incomplete_decision", words)
    rows, unread = min(sound, key=lambda reading: len(reading[1]))
    span = page.span(section)
    decisions = (
        Decision(
            side=side,
            name=name,
            span=span,
            **{field: _value(rows, field, column, page.words) for field in page.words.decision_labels.values()},
        )
        for column, (side, name) in enumerate(zip(SIDES, names, strict=True))
    )
    return tuple(decisions), unread


def _value(rows: Rows, field: DecisionField, column: int, words: PageWords) -> str | None:
    """A tool's value; a price loses the badge after it: `$21/mo Best value`."""
    text = rows.get(field, (None, None))[column]
    folded = "" if field != "pricing" or text is None else text.casefold()
    badge = next((badge for badge in words.price_badges if folded.endswith(f" {badge}")), "")
    return text[: -len(badge)].rstrip(" ·•|-") if text and badge else text


def _is_sound(rows: Rows, words: PageWords) -> bool:
    """Whether verdicts and community votes look like such; a shifted reading fails this test."""
    verdicts = [value for value in rows.get("verdict", ()) if value is not None]
    community = [value for value in rows.get("community", ()) if value is not None]
    return all(words.verdict_value.fullmatch(value) for value in verdicts) and all(
        PERCENT.search(value)
        or _votes(value, words) is not None
        or any(word in value.casefold() for word in words.community_votes)
        for value in community
    )


def panel_votes(decisions: Sequence[Decision], words: PageWords) -> PanelVotes:
    """The panel's votes for and against A and B by the verdict lines; None where a line does not say."""
    votes_a, votes_b = [_votes(decision.verdict, words) for decision in decisions] or (None, None)
    return votes_a, votes_b


def _votes(line: str | None, words: PageWords) -> tuple[int, int] | None:
    read = read_verdict_line(line or "", words.profile)
    return None if read is None else read[1]


# The rows.


def _field(page: Texts, index: int) -> DecisionField | None:
    return page.words.decision_labels.get(page.folded[index])


def _label_choices(page: Texts, section: Sequence[int]) -> Sequence[Sequence[int]]:
    """All labels; and where a value looks like a label, the category `Community`, those without one of both."""
    labels = [index for index in section if _field(page, index) is not None]
    twice = [label for label in labels if [page.folded[other] for other in labels].count(page.folded[label]) > 1]
    without = ([label for label in labels if label != other] for other in twice[::-1])
    return [labels, *(without if len(twice) <= CHOICES_MAX else ())]


CHOICES_MAX = 4
"""The most labels of which one may be a value."""


def _read_rows(page: Texts, section: Sequence[int], names: Names, chosen: Sequence[int]) -> tuple[Rows, Sequence[int]]:
    """The values of A and B by field, and the numbers of texts outside rows and head. Raises `PageRejected`."""
    named, order = _find_names(page, section, names)
    tools = Labels(page, named)
    cells = {cell for index in named if (cell := page[index].cell) is not None} if order else set()
    heads = {cell[:2] for cell in cells} if len(cells) > 1 else set()
    kept = [at for at in section if at not in named and ((cell := page[at].cell) is None or cell[:2] not in heads)]
    fields = {index: field for index in kept if index in chosen and (field := _field(page, index)) is not None}
    labels = Labels(page, fields, are_rows=True)
    owned: dict[int, list[int]] = {label: [] for label in fields}
    unread: list[int] = []
    for index in kept:
        if index not in owned:
            owner = labels.find_owner(index)
            (unread if owner is None else owned[owner]).append(index)
    is_by_tool = not order and bool(named) and len({*fields.values()}) < len(fields)
    rows: dict[DecisionField, dict[int, str]] = {}
    lost = 0
    for label, field in fields.items():
        values = _by_side(page, owned[label], names, order, tools, label, is_by_tool=is_by_tool)
        if values is None and field != "verdict" and _has_row(page, label, [*fields]):
            # A row with an empty cell that the markup leaves out.
            unread += (label, *owned[label])
            lost += 1
            continue
        if values is None or {*values} & {*rows.get(field, ())}:
            return {}, ()
        if field == "verdict" and _votes(_join(page, values.get(TOOLS, ())), page.words) is not None:
            raise PageRejected("incomplete_card", "the Decision table judges three tools or more")
        for side, numbers in values.items():
            if side < TOOLS:
                rows.setdefault(field, {})[side] = _join(page, numbers)
            else:
                unread += numbers
    if lost > len(rows) or any(len(values) != TOOLS for values in rows.values()):
        return {}, ()
    no_value = page.words.no_value
    read = {
        field: tuple(None if values[side] in no_value else values[side] for side in range(TOOLS))
        for field, values in rows.items()
    }
    return read, [index for index in unread if page[index].text]


def _find_names(page: Texts, section: Sequence[int], names: Names) -> tuple[list[int], tuple[str, ...]]:
    """The texts that name the tools, and their order if both stand side by side above all rows.

    A name may be cut, `Lumsta Gatew…`. Raises `PageRejected` if a short text beside one name alone names another tool.
    """
    named = {index: name for index in section if (name := _find_name(page[index].text, names)) is not None}
    first = next((index for index in section if index not in named and _field(page, index) is not None), len(page))
    head = [index for index in named if index < first]
    if len(head) >= TOOLS and {named[index] for index in head} == {*names}:
        # A tool may have the name of a label, and both the same.
        head = (
            head[:TOOLS] if names[0] == names[1] else [next(at for at in head if named[at] == name) for name in names]
        )
        return sorted(head), tuple(named[index] for index in sorted(head))
    if head:
        beside = [page[index].text for index in section if index < first and 0 < len(page[index].text) <= SHORT_MAX]
        heads = [text for text in beside if text.casefold() not in page.words.column_heads]
        is_by_tool = len({*named.values()}) == len({*names})
        if len(heads) > 1 and not is_by_tool:
            words = f"the head of the Decision table reads {' / '.join(heads)}, not {' / '.join(names)}"
            raise PageRejected("incomplete_decision", words)
    return [index for index in named if _field(page, index) is None], ()


def _find_name(text: str, names: Names) -> str | None:
    if text in names:
        return text
    start = text.removesuffix("…").rstrip() if text.endswith("…") and len(text) > CUT_MIN else ""
    return next((name for name in names if start and name.startswith(start)), None)


CUT_MIN = 5
"""The fewest characters of a name that is cut."""


def _has_row(page: Texts, label: int, labels: Sequence[int]) -> bool:
    """Whether a cell or an element holds the row of a label: elsewhere a lost value shifts all others."""
    row = page.widest_element(label, labels)
    return page[label].cell is not None or (row is not None and len(row) > 1)


def _join(page: Texts, numbers: Sequence[int]) -> str:
    return " ".join(text for at in numbers if (text := page[at].text))


def _by_side(
    page: Texts,
    owned: Sequence[int],
    names: Names,
    order: tuple[str, ...],
    tools: Labels,
    label: int,
    *,
    is_by_tool: bool,
) -> Mapping[int, Sequence[int]] | None:
    """The texts of a label by side, 0 and 1; what a third column or element says under 2. None if a side has none."""
    if is_by_tool:
        owner = tools.find_owner(label)
        return None if owner is None or not owned else {_side(page, owner, names, tools): owned}
    cells = _group(page, owned, label)
    tables = {cell and cell.table for cell in (page[index].cell for index in (*tools.numbers, *owned))}
    has_columns = len({page[index].cell for index in tools.numbers}) >= TOOLS and len(tables) == 1
    if has_columns and page[label].cell is not None:
        by_side: dict[int, list[int]] = {}
        for cell in cells:
            owner = tools.find_owner(cell[0])
            is_named = owner is not None and _is_over(page[owner].cell, page[cell[0]].cell)
            side = _side(page, owner, names, tools) if owner is not None and is_named else TOOLS
            by_side.setdefault(side, []).extend(cell)
        if len({*by_side}) > 1 or TOOLS not in by_side:
            return by_side if {0, 1} <= {*by_side} else None
    if len(cells) < TOOLS:
        return None
    first, second = (1, 0) if order == names[::-1] and names[0] != names[1] else (0, 1)
    rest = [index for cell in cells[TOOLS:] for index in cell]
    return {first: cells[0], second: cells[1], **({TOOLS: rest} if rest else {})}


def _side(page: Texts, name: int, names: Names, tools: Labels) -> int:
    """The side of a name; two tools of one name take turns."""
    if names[0] == names[1]:
        return tools.numbers.index(name) % TOOLS
    return names.index(_find_name(page[name].text, names) or "")


def _is_over(name: Cell | None, value: Cell | None) -> bool:
    """Whether a name is that of the value's column, or of its row: not that of the column before."""
    return name is not None and value is not None and (name.column == value.column or name.row == value.row)


def _group(page: Texts, owned: Sequence[int], label: int) -> list[list[int]]:
    """The texts by cell of the label's table, else by element below the one around all of them, else one by one."""
    if not owned:
        return []
    label_cell = page[label].cell
    shared = min(count_shared_depth(page[index].path, page[owned[0]].path) for index in owned)

    def part(index: int) -> object:
        cell, path = page[index].cell, page[index].path
        if cell is not None and label_cell is not None and cell.table == label_cell.table and cell != label_cell:
            return cell
        return path[shared] if len(path) > shared else -index - 1

    return [[*numbers] for _, numbers in groupby(owned, key=part)]
