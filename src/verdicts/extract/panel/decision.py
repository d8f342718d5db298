"""The Decision table: each label owns a value of each tool, in its row, its column, its element, or behind it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, product
from typing import TypeAlias

from msgspec import Struct

from verdicts.corpus.enumerations import SIDES
from verdicts.extract.model.blocks import Cell, shared_depth
from verdicts.extract.model.records import Decision, Doubt, PageRejected
from verdicts.extract.panel.owners import Labels
from verdicts.extract.panel.profile import read_verdict_line
from verdicts.extract.panel.take_cells import PanelVotes
from verdicts.extract.panel.texts import PERCENT, SHORT_MAX, TOOLS, DecisionField, PageWords, Texts

Names: TypeAlias = tuple[str, str]
Pair: TypeAlias = tuple[str | None, str | None]
"""The values of A and of B."""


class Reading(Struct, frozen=True):
    """One way to read the table: values by field, and the numbers of texts outside rows and head."""

    rows: Mapping[DecisionField, Pair] = {}
    unread: tuple[int, ...] = ()
    problem: PageRejected | None = None

    def is_sound(self, words: PageWords) -> bool:
        """Whether verdicts and community votes look like such; a shifted reading fails this test."""
        verdicts = [value for value in self.rows.get("verdict", ()) if value is not None]
        votes = [value for value in self.rows.get("community", ()) if value is not None]
        return (
            self.problem is None
            and bool(self.rows)
            and all(words.verdict_value.fullmatch(value) for value in verdicts)
            and all(
                PERCENT.search(value)
                or _votes(value, words) is not None
                or any(word in value.casefold() for word in words.community_votes)
                for value in votes
            )
        )


def read_decision(
    page: Texts, section: range | None, names: Names
) -> tuple[tuple[Decision, ...], Sequence[int], Sequence[Doubt]]:
    """Both columns, A then B, the section's blocks outside its rows, and contradictions of copies.

    Raises `PageRejected`: `incomplete_decision` if a label does not own one value of each tool, or the head names
    another tool: values shifted to the other tool would be worse than a lost page. `incomplete_card` for three tools.
    """
    if section is None:
        return (), (), ()
    inner = [index for index in section if page.folded[index] != page.words.decision]
    parts = _split_copies(page, inner, names)
    readings = [reading for part in parts for reading in _readings(page, part, names)]
    refused = next((reading.problem for reading in readings if reading.problem is not None), None)
    sound = [reading for reading in readings if reading.is_sound(page.words)]
    if not sound:
        words = "the labels of the Decision table do not have exactly one value for each tool"
        raise refused or PageRejected("incomplete_decision", words)
    first, *copies = sound
    span = page.span(section)
    decisions = (
        Decision(
            side=side,
            name=name,
            span=span,
            **{field: _value(first, field, column, page.words) for field in page.words.decision_labels.values()},
        )
        for column, (side, name) in enumerate(zip(SIDES, names, strict=True))
    )
    held = {index for part in parts for index in part}
    unread = [*(index for reading in sound for index in reading.unread), *(at for at in inner if at not in held)]
    return tuple(decisions), unread, [doubt for copy in copies for doubt in _differences(first, copy)]


def _value(reading: Reading, field: DecisionField, column: int, words: PageWords) -> str | None:
    """A tool's value; a price loses the badge after it: `$21/mo Best value`."""
    text = reading.rows.get(field, (None, None))[column]
    if field != "pricing" or text is None:
        return text
    badge = next((badge for badge in words.price_badges if text.casefold().endswith(f" {badge}")), "")
    return text[: len(text) - len(badge)].rstrip(" ·•|-") if badge else text


def panel_votes(decisions: Sequence[Decision], words: PageWords) -> PanelVotes:
    """The panel's votes for and against A and B by the verdict lines; None where a line does not say."""
    votes_a, votes_b = [_votes(decision.verdict, words) for decision in decisions] or (None, None)
    return votes_a, votes_b


def _votes(line: str | None, words: PageWords) -> tuple[int, int] | None:
    read = read_verdict_line(line or "", words.profile)
    return None if read is None else read[1]


def _differences(first: Reading, copy: Reading) -> Iterator[Doubt]:
    for field, values in copy.rows.items():
        for side, value, other in zip(SIDES, first.rows.get(field, (None, None)), values, strict=True):
            if value != other:
                yield Doubt("copies_differ", side, f"{field} {value}", f"{field} {other}")


def _split_copies(page: Texts, section: Sequence[int], names: Names) -> Sequence[Sequence[int]]:
    """The tables of a section (phone, desktop), each with every label once; the whole section if it has one.

    A table of each tool stands under its name.
    """
    labels = [index for index in section if _field(page, index) is not None]
    same = [index for index in labels if page.folded[index] == page.folded[labels[0]]]
    around = [page.widest_element(label, same) for label in same]
    parts = [[index for index in section if index in part] for part in around if part is not None]
    fields = {page.folded[index] for index in labels}
    is_whole = all({page.folded[index] for index in labels if index in part} == fields for part in parts)
    named = [index for index in section if page[index].text in names]
    is_by_tool = len(named) == TOOLS and any(named[0] < label < named[1] for label in labels)
    return parts if len(parts) == TOOLS and is_whole and not is_by_tool else [section]


def _field(page: Texts, index: int) -> DecisionField | None:
    return page.words.decision_labels.get(page.folded[index])


# One table.


def _readings(page: Texts, section: Sequence[int], names: Names) -> Iterator[Reading]:
    """The ways to read a table, the likeliest first; each is sound or refused by itself."""
    named, order, problem = _find_names(page, section, names)
    if problem is not None:
        yield Reading(problem=PageRejected("incomplete_decision", problem))
        return
    last = named[TOOLS - 1] if named[:TOOLS] and len(order) == TOOLS else -1
    labels = [index for index in section if _field(page, index) is not None and index not in named and index > last]
    if not labels:
        labels = [index for index in section if _field(page, index) is not None and index not in named]
    sound: list[Reading] = []
    for chosen, place in product(_label_choices(page, labels), range(1 + TOOLS)):
        reading = _read(page, section, names, named, order, chosen, place)
        if reading.problem is not None:
            yield reading
        has_values = {*labels}.difference(chosen).isdisjoint(reading.unread)
        sound += [reading] if has_values and reading.is_sound(page.words) else []
        if sound and not sound[-1].unread:
            break
    yield from sorted(sound, key=lambda reading: len(reading.unread))[:1]


def _label_choices(page: Texts, labels: Sequence[int]) -> Iterator[Sequence[int]]:
    """All labels; then, where a value looks like a label (`Community`), those without one of both."""
    yield labels
    counted = Counter(page.folded[label] for label in labels)
    twice = [label for label in labels if counted[page.folded[label]] > 1]
    if 0 < len(twice) <= CHOICES_MAX:
        yield from ([label for label in labels if label != other] for other in twice[::-1])


CHOICES_MAX = 4
"""The most labels of which one may be a value."""


def _find_names(page: Texts, section: Sequence[int], names: Names) -> tuple[list[int], tuple[str, ...], str | None]:
    """The texts that name the tools, and their order if both stand side by side above all rows.

    A name may be cut, `Lumsta Gatew…`. A short text beside one name alone names another tool.
    """
    shown = {index: name for index in section if (name := _find_name(page[index].text, names)) is not None}
    first = next((index for index in section if index not in shown and _field(page, index) is not None), len(page))
    head = [index for index in shown if index < first]
    if len(head) >= TOOLS and {shown[index] for index in head} == {*names}:
        # A tool may have the name of a label, and both the same.
        head = (
            head[:TOOLS] if names[0] == names[1] else [next(at for at in head if shown[at] == name) for name in names]
        )
        rest = [index for index in shown if index not in head and page[index].cell is None and index < first]
        return sorted((*head, *rest)), tuple(shown[index] for index in sorted(head)), None
    if head:
        beside = [page[index].text for index in section if index < first and 0 < len(page[index].text) <= SHORT_MAX]
        others = [text for text in beside if text.casefold() not in page.words.column_heads]
        is_by_tool = len({*shown.values()}) == len({*names})
        if len(others) > 1 and not is_by_tool:
            return [], (), f"the head of the Decision table reads {' / '.join(others)}, not {' / '.join(names)}"
    return [index for index in shown if _field(page, index) is None], (), None


def _find_name(text: str, names: Names) -> str | None:
    start = text.removesuffix("…").rstrip() if text.endswith("…") and len(text) > CUT_MIN else None
    return next((name for name in names if text == name or (start and name.startswith(start))), None)


CUT_MIN = 5
"""The fewest characters of a name that is cut."""


def _read(
    page: Texts,
    section: Sequence[int],
    names: Names,
    named: Sequence[int],
    order: tuple[str, ...],
    labels: Sequence[int],
    place: int,
) -> Reading:
    """The table with labels at this place of their rows: before the values, between or behind them."""
    tools = Labels(page, named)
    cells = {cell for index in named if (cell := page[index].cell) is not None} if order else set()
    heads = {cell[:2] for cell in cells} if len(cells) > 1 else set()
    kept = [at for at in section if at not in named and ((cell := page[at].cell) is None or cell[:2] not in heads)]
    of_field = _find_owned(page, kept, labels, place)
    if of_field is None:
        return Reading()
    held = {index for owned in of_field.values() for index in owned}
    unread = [index for index in kept if index not in held and index not in of_field]
    fields_seen = Counter(page.folded[label] for label in labels)
    is_by_tool = not order and bool(named) and max(fields_seen.values(), default=0) > 1
    rows: dict[DecisionField, dict[int, str]] = {}
    lost = 0
    for label, owned in of_field.items():
        field = page.words.decision_labels[page.folded[label]]
        values = _by_side(page, owned, names, order, tools, label, is_by_tool=is_by_tool)
        if values is None and field != "verdict" and not is_by_tool:
            # A row whose empty cell is nothing in the markup.
            unread += (label, *owned)
            lost += 1
            continue
        if values is None or {*values} & {*rows.get(field, ())}:
            return Reading()
        third = _join(page, values.get(TOOLS, ()))
        if field == "verdict" and _votes(third, page.words) is not None:
            return Reading(problem=PageRejected("incomplete_card", "the Decision table judges three tools or more"))
        for side, numbers in values.items():
            if side < TOOLS:
                rows.setdefault(field, {})[side] = _join(page, numbers)
            else:
                unread += numbers
    if lost > len(rows) or any(len(values) != TOOLS for values in rows.values()):
        return Reading()
    read: dict[DecisionField, Pair] = {}
    for field, by_side in rows.items():
        first, second = (None if by_side[side] in page.words.no_value else by_side[side] for side in (0, 1))
        read[field] = (first, second)
    return Reading(read, tuple(index for index in unread if page[index].text))


def _find_owned(
    page: Texts, section: Sequence[int], labels: Sequence[int], place: int
) -> Mapping[int, list[int]] | None:
    """The texts of each label; None if its row has it at another place.

    Labels in no element of their own have as many texts before and behind them as those in one.
    """
    fields = Labels(page, labels, are_rows=True)
    owned: dict[int, list[int]] = {label: [] for label in labels}
    for index in section:
        if index not in owned and (owner := fields.find_owner(index)) is not None:
            owned[owner].append(index)
    rows = {label: page.widest_element(label, labels) for label in labels}
    flat = [label for label, row in rows.items() if page[label].cell is None and (row is None or len(row) == 1)]
    for label in labels:
        if label in flat and place:
            at = section.index(label)
            beside = [*section[max(at - place, 0) : at], *section[at + 1 : at + 1 + TOOLS - place]]
            owned[label] = [index for index in beside if index not in owned]
        elif label not in flat and page[label].cell is None:
            before = [cell for cell in _group(page, owned[label], label) if cell[0] < label]
            if len(before) != place:
                return None
    return owned


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
    own = page[label].cell
    shared = min(shared_depth(page[index].path, page[owned[0]].path) for index in owned)

    def part(index: int) -> object:
        cell, path = page[index].cell, page[index].path
        if cell is not None and own is not None and cell.table == own.table and cell != own:
            return cell
        return path[shared] if len(path) > shared else -index - 1

    return [[*numbers] for _, numbers in groupby(owned, key=part)]
