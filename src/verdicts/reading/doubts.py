"""Doubtful rows, and the decisions that settle them."""

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verdicts.normalize.corrections import Correction
from verdicts.warehouse.serving.query import read_answer
from verdicts.warehouse.serving.question_answers import ask_named

WHY = "seen in the list of doubts"
"""The reason of a decision on a listed doubt."""

NEAR_TOOLS = "near tools"
"""Kind of doubt: two tools that may be one."""

UNKNOWN = "AMOUNT"
"""Stands in a command for a value that only a person can read."""


@dataclass(frozen=True, slots=True)
class Decision:
    """An entry of `corrections/*.toml` without who and when, in words, and as arguments of `verdicts correct`."""

    words: str
    kind: str
    entry: Mapping[str, Any]
    arguments: tuple[str, ...]

    @property
    def command(self) -> str:
        """What a person types."""
        return shlex.join(("verdicts", "correct", self.kind, *self.arguments, "--why", WHY))


@dataclass(frozen=True, slots=True)
class Doubt:
    """A doubt, the number of rows that it affects, what it is about, and the decisions that settle it.

    `refuse` is None if the pages leave no other choice. `asks` names the column whose value the person must read for
    `accept`.
    """

    doubt: str
    rows: int
    about: tuple[str, ...]
    accept: Decision
    refuse: Decision | None
    asks: str | None = None

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return (self.accept,) if self.refuse is None else (self.accept, self.refuse)


def read_doubts(corpus: Path, corrections: Iterable[Correction], limit: int) -> list[Doubt]:
    """The first doubts of a published copy that no correction settles yet. Raises `QuestionFailed`."""
    settled = list_settled(corrections)
    with ask_named(corpus, "doubts_to_settle", {"limit": str(limit + len(settled))}) as question:
        return select_open(read_answer(question).records, settled)[:limit]


def select_open(rows: Iterable[Mapping[str, Any]], settled: Iterable[object]) -> list[Doubt]:
    """The doubts of an answer to `doubts_to_settle` that are still open."""
    settled_keys = {*settled}
    return [_doubt(row) for row in rows if _key(row) not in settled_keys]


def list_settled(corrections: Iterable[Correction]) -> set[object]:
    """The doubts that these corrections settle."""
    return {key for correction in corrections for key in _list_keys(correction)}


def _list_keys(correction: Correction) -> Iterator[object]:
    key = dict(correction.key)
    match correction.kind:
        case "same" | "different":
            yield frozenset((correction.target, correction.decision))
        case "review":
            yield correction.target
        case "value" if correction.table == "pricing_tiers" and correction.column == "amount":
            yield correction.target, str(key["tier_number"]), key.get("raw")


def _key(row: Mapping[str, Any]) -> object:
    match row["doubt"]:
        case "near reviews" | "near tools":
            return frozenset((row["id"], row["other_id"]))
        case "unread price":
            return row["id"], row["other_text"], row["text"]
    return row["id"]


def _doubt(row: Mapping[str, Any]) -> Doubt:
    name, text, other_text, id_, other_id = (row[column] for column in ("name", "text", "other_text", "id", "other_id"))
    match row["doubt"]:
        case "unread price":
            tier = {"tool_id": id_, "tier_number": int(other_text), "raw": text}
            amount = {"table": "pricing_tiers", "row": tier, "column": "amount"}
            row_options = ("--row", f"tool_id={id_}", "--row", f"tier_number={other_text}")
            read = Decision("Set the amount", "value", amount, ("pricing_tiers", "amount", UNKNOWN, *row_options))
            absent = ("pricing_tiers", "amount", "--absent", *row_options)
            none = Decision("Not an amount", "value", {**amount, "absent": True}, absent)
            return Doubt("unread price", row["rows"], (name, text), read, none, "amount")
        case "weak review":
            accept, refuse = (
                Decision(f"About {called}", "review", {"review": id_, "tool": tool}, (id_, "--tool", str(tool)))
                for called, tool in ((name, row["tool_id"]), (other_text, other_id))
            )
            return Doubt("weak review", row["rows"], (name, text), accept, None if other_id is None else refuse)
    kind = "review" if row["doubt"] == "near reviews" else "tool"
    merge = Decision("Merge", "same", {kind: id_, "into": other_id}, (id_, other_id))
    keep_apart = Decision("Keep separate", "different", {kind: id_, "other": other_id}, (id_, other_id))
    return Doubt(row["doubt"], row["rows"], (name, str(text), str(other_text)), merge, keep_apart)
