"""What a page of the gallery says: its answer key."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

Claim: TypeAlias = Literal["compares", "describes"]

Break: TypeAlias = Literal["another_count", "ranks_with_gap", "copies_differ", "unnamed_icon", "statements_differ"]
"""How a page contradicts itself or keeps something from its readers; each must be told."""


class Cell(NamedTuple):
    """What a page says of a tool under a label, as printed. Several values of a label are several cells."""

    tool: str
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class AnsweredTool:
    """A tool that a page sets beside others, or describes. What the page does not say is None; texts are as printed.

    A stated price is amount and currency, `12.50 USD`, as records have it.
    """

    name: str
    rank: int | None = None
    price: str | None = None
    rating: str | None = None
    best_for: str | None = None


@dataclass(frozen=True, slots=True)
class AnsweredReview:
    """A signed review of a tool on a page that describes one."""

    author: str
    rating: str
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The key of a page. `claim` None: it sets nothing side by side, and `tools` is empty.

    `prose` are its paragraphs, `furniture` the texts that every page of a site has, and advertisements.
    """

    claim: Claim | None
    tools: tuple[AnsweredTool, ...] = ()
    cells: frozenset[Cell] = frozenset()
    breaks: tuple[Break, ...] = ()
    reviews: tuple[AnsweredReview, ...] = ()
    prose: tuple[str, ...] = ()
    furniture: tuple[str, ...] = ()

    def as_json(self) -> str:
        """The key as JSON, cells in order."""
        fields: dict[str, Any] = asdict(self)
        fields["cells"] = sorted(self.cells)
        return json.dumps(fields, ensure_ascii=False, indent=1)


def cells_of(tool: str, said: Iterable[tuple[str, str]]) -> list[Cell]:
    """Cells of one tool."""
    return [Cell(tool, label, value) for label, value in said]


def nothing_compared(prose: Sequence[str]) -> Answer:
    """The key of a page that only looks like a comparison."""
    return Answer(None, prose=tuple(prose))
