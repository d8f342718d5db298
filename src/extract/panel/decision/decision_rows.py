"""What every way to read the Decision table gives: its rows, and what is none of them. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from verdicts.corpus.enumerations import SIDES
from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.panel.words.page_words import PERCENT, DecisionField, PageWords

TOOLS = len(SIDES)

Rows: TypeAlias = Mapping[DecisionField, tuple[str | None, str | None]]
"""Field to the values of A and of B."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The rows of the table, and the numbers of the blocks that are neither in one of them nor a head."""

    rows: Rows
    unread: tuple[int, ...]


def is_sound(rows: Rows, words: PageWords, *, needs_verdict: bool) -> bool:
    """Verdicts read like verdicts and community votes like votes: what tells a right reading from a shifted one."""
    if not rows or (needs_verdict and "verdict" not in rows):
        return False
    verdicts = [value for value in rows.get("verdict", ()) if value is not None]
    votes = [value for value in rows.get("community", ()) if value is not None]
    return all(words.verdict_value.fullmatch(value) for value in verdicts) and all(
        PERCENT.search(value) or any(word in value.casefold() for word in words.community_votes) for value in votes
    )


def field_of(text: str, words: PageWords) -> DecisionField | None:
    """The field that a label names."""
    return words.decision_labels.get(fold(text))


def present(text: str, words: PageWords) -> str | None:
    """A value; None for a dash and an empty cell."""
    return None if text in words.no_value else text


def joined_text(blocks: Sequence[Block], indices: Sequence[int]) -> str:
    """The text of a cell, of one block or several."""
    return " ".join(blocks[index].text for index in indices if blocks[index].text)


def pair(values: Sequence[str | None], *, is_turned: bool) -> tuple[str | None, str | None]:
    """Two values as A's and B's. `is_turned` where B's come first."""
    first, second = values
    return (second, first) if is_turned else (first, second)


def stands_turned(order: Sequence[str], names: tuple[str, str]) -> bool:
    """Whether names stand B, A. Two tools may have one name; then they stand A, B."""
    return names[0] != names[1] and tuple(order[:TOOLS]) == names[::-1]
