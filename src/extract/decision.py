"""The Decision table: a row a label, a column a tool."""

from collections.abc import Sequence

from extract.blocks import Block, fold
from extract.errors import PageRejected
from extract.labels import DECISION_FIELDS, NO_VALUE, DecisionField
from extract.records import Decision, Side, Span

TOOLS = 2


def read_decision(blocks: Sequence[Block], section: range, names: tuple[str, str]) -> tuple[Decision, Decision]:
    """The two columns, A then B.

    Raises `PageRejected` (`incomplete_decision`) where a label is not followed by one value a tool: shifting the values
    of one tool to the other would be worse than losing the page.
    """
    rows = _rows(blocks, section)
    span = Span(section.start, section.stop - 1)
    columns: tuple[Side, Side] = ("a", "b")
    by_field = [{field: values[index] for field, values in rows.items()} for index in range(TOOLS)]
    first, second = (
        Decision(
            side=side,
            name=names[index],
            verdict=by_field[index].get("verdict"),
            community=by_field[index].get("community"),
            pricing=by_field[index].get("pricing"),
            best_for=by_field[index].get("best_for"),
            category=by_field[index].get("category"),
            span=span,
        )
        for index, side in enumerate(columns)
    )
    return first, second


def _rows(blocks: Sequence[Block], section: range) -> dict[DecisionField, tuple[str | None, str | None]]:
    """Steps from label to label, two values each. A value may read like a label: the category `Community`."""
    rows: dict[DecisionField, tuple[str | None, str | None]] = {}
    index = section.start
    while index < section.stop:
        field = DECISION_FIELDS.get(fold(blocks[index].text))
        if field is None or field in rows:
            index += 1
            continue
        values = [blocks[at].text for at in range(index + 1, min(index + 1 + TOOLS, section.stop))]
        after = index + 1 + TOOLS
        if len(values) < TOOLS or not _is_row_end(blocks, after, section):
            raise PageRejected(
                "incomplete_decision",
                f"'{blocks[index].text}' is not followed by exactly one value for each of the two tools",
            )
        rows[field] = (_present(values[0]), _present(values[1]))
        index = after
    return rows


def _is_row_end(blocks: Sequence[Block], index: int, section: range) -> bool:
    """After two values comes the next label, or the section's end."""
    return index >= section.stop or fold(blocks[index].text) in DECISION_FIELDS


def _present(text: str) -> str | None:
    return None if text in NO_VALUE else text
