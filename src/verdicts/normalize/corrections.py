"""Corrections: decisions of people, which change rows and never pages or records.

Each correction is applied by the step that makes the decision, which reports its `Outcome`. In the end each correction
has one row of `evidence.corrections`:

    same, different   tools: where they are identified, and where products are suggested; reviews: where they fold
    review            after a review is attributed
    category          where rows of tools are made
    outside           where tools of other sites find theirs
    value             in the row, wherever it is made, and in its history (`PRESENT`)

With `same`, one id goes into another: the target keeps its id, and the other id becomes an alias. Ids of texts and
pages are made of the tools without corrections, so a correction never changes the target of another one. Corrections
apply to uncorrected rows, in any order. Corrections that contradict each other are not applied.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from types import MappingProxyType
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import asdict, replace

from verdicts.corpus.enumerations import CORRECTION_OUTCOMES, CorrectionKind, CorrectionOutcome
from verdicts.corpus.rows.correction_rows import CorrectionRow
from verdicts.corpus.tables import TABLES

Value: TypeAlias = str | int | float | bool | None

_RECORDS = frozenset({"tool_id", "review_id", "page_id"})
"""Columns with the id of a record that is shown by itself."""


class Correction(msgspec.Struct, frozen=True):
    """One decision: `column` of the row of `table` with `key` has `value`; None: it has no value.

    `key` may have more columns than the table's key: they show whether the row is still the one that the person saw.
    `was` is the old value that a decision of the kind `value` replaces. `same` merges the key into the value;
    `different` keeps both apart.
    """

    kind: CorrectionKind
    table: str
    key: tuple[tuple[str, Value], ...]
    column: str
    value: Value
    by: str
    made_at: datetime
    reason: str
    was: Value = None

    @property
    def id(self) -> str:
        return sha256(msgspec.json.encode(self)).hexdigest()[:32]

    @property
    def target(self) -> str:
        """The first part of the key: an id, an address or a category."""
        return str(self.key[0][1])

    @property
    def decision(self) -> str:
        """The value as an id, which it is for most kinds."""
        return str(self.value)


class Outcome(msgspec.Struct, frozen=True, array_like=True):
    """What a correction did in one place. `subject` is the target in words, `before` the value without it.

    `about` are the ids of records that show it.
    """

    correction_id: str
    outcome: CorrectionOutcome
    subject: str | None = None
    before: str | None = None
    detail: str | None = None
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Corrections:
    """All corrections by id, and for each correction the ids of those that contradict it."""

    every: Mapping[str, Correction]
    contradicting: Mapping[str, Sequence[str]]

    def select(self, kind: CorrectionKind, table: str) -> Sequence[Correction]:
        """Corrections of a kind for a table, without those that contradict each other."""
        return [
            one
            for id_, one in self.every.items()
            if (one.kind, one.table) == (kind, table) and id_ not in self.contradicting
        ]

    def apart(self, table: str) -> frozenset[frozenset[str]]:
        """The pairs of ids that people declare to be different."""
        return frozenset(frozenset((one.target, one.decision)) for one in self.select("different", table))

    def on_rows(self, table: str, rows: Iterable[Any]) -> tuple[list[Any], list[Outcome]]:
        """The rows with their corrected values, and the outcomes of the corrections."""
        if not self.every:
            return [*rows], []
        for present in PRESENT.get(table, ()):
            rows = self._on_states(present, rows)
        outcomes = list[Outcome]()
        return [_on_row(row, found, outcomes) if found else row for row, found in self._find(table, rows)], outcomes

    def _find(self, table: str, rows: Iterable[Any]) -> Iterator[tuple[Any, Sequence[Correction]]]:
        """Each row with the corrections of the row of a table that has its key."""
        names, by_key = TABLES[table].key, defaultdict[tuple[Value, ...], list[Correction]](list)
        for one in self.select("value", table):
            by_key[tuple(dict(one.key)[name] for name in names)].append(one)
        for row in rows:
            yield row, by_key.get(tuple(getattr(row, name) for name in names), ()) if by_key else ()

    def _on_states(self, table: str, rows: Iterable[Any]) -> Iterator[Any]:
        """States of the rows of a table, corrected where they have the value that the person saw in the table."""
        for row, found in self._find(table, rows):
            values = {one.column: one.value for one in found if getattr(row, one.column, one.value) == one.was}
            yield replace(row, **values) if values else row


PRESENT: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "tool_history": ("tools",),
        "verdict_history": ("verdicts", "tool_cards"),
        "review_history": ("reviews",),
    }
)
"""Tables with the states of rows, and the tables with the present state."""

NO_CORRECTIONS = Corrections({}, {})


def _on_row(row: Any, corrections: Sequence[Correction], outcomes: list[Outcome]) -> Any:  # noqa: ANN401  of any table
    """The row with its corrected values. Adds the outcome of each correction to `outcomes`."""
    columns: dict[str, list[Correction]] = defaultdict(list)
    for one in corrections:
        columns[one.column].append(one)
    values: dict[str, Value] = {}
    for column, found in columns.items():
        now = getattr(row, column)
        fitting = [one for one in found if _is_as_seen(one, row)]
        is_clear = len({one.value for one in fitting}) == 1
        for one in found:
            outcome: CorrectionOutcome = "applied" if is_clear else "contradicts"
            if one not in fitting:
                outcome = "agrees" if now == one.value else "gone"
            elif is_clear:
                values[column] = one.value
            detail = f"the row is not as the person saw it, {_describe_target(one)}" if outcome == "gone" else None
            outcomes.append(
                Outcome(one.id, outcome, describe_row(row), format_value(now), detail, _ids(asdict(row).items()))
            )
    return replace(row, **values) if values else row


def collect_corrections(given: Iterable[Correction]) -> Corrections:
    """The corrections in any order, with those that contradict each other."""
    every = {one.id: one for one in sorted(given, key=lambda one: one.id)}
    against: dict[str, set[str]] = defaultdict(set)
    for group in (*_find_contradictions(every.values()), *_same_and_different(every.values())):
        ids = {one.id for one in group}
        for id_ in ids:
            against[id_] |= ids - {id_}
    return Corrections(every, {id_: sorted(others) for id_, others in against.items()})


def follow(id_: str, into: Mapping[str, Correction]) -> Sequence[Correction]:
    """The corrections that lead from an id to its final id, in order. A loop ends at its first repeated step."""
    way: list[Correction] = []
    while (step := into.get(id_)) is not None and step not in way:
        way.append(step)
        id_ = step.decision
    return way


def _find_contradictions(every: Iterable[Correction]) -> Iterator[Sequence[Correction]]:
    """Corrections of one target that decide differently. Two values for one row contradict only if both fit it."""
    groups: dict[tuple[object, ...], list[Correction]] = defaultdict(list)
    for one in every:
        if one.kind != "different":
            groups[one.kind, one.table, one.key, one.column, one.was].append(one)
    return (group for group in groups.values() if len({one.value for one in group}) > 1)


def _same_and_different(every: Iterable[Correction]) -> Iterator[Sequence[Correction]]:
    """Ids that go into each other in a circle, and ids that become one although they are declared different."""
    into = {one.target: one for one in every if one.kind == "same"}
    for one in every:
        way = follow(one.target, into)
        if one.kind == "same" and way[-1].decision == one.target:
            yield way
        elif one.kind == "different":
            other = follow(one.decision, into)
            if (way[-1].decision if way else one.target) == (other[-1].decision if other else one.decision):
                yield one, *way, *other


def _is_as_seen(one: Correction, row: Any) -> bool:  # noqa: ANN401
    return getattr(row, one.column) == one.was and all(getattr(row, name) == value for name, value in one.key)


def _describe_target(one: Correction) -> str:
    seen = {name: value for name, value in one.key if name not in TABLES[one.table].key} | {one.column: one.was}
    return " and ".join(f"{name} {format_value(value) or 'empty'}" for name, value in seen.items())


def format_value(value: Value) -> str | None:
    """A value as a text."""
    return value if value is None or isinstance(value, str) else msgspec.json.encode(value).decode()


def describe_row(row: Any) -> str:  # noqa: ANN401
    """A row in words: its name, or the beginning of its text."""
    words = next((said for name in ("name", "title", "raw", "text") if (said := getattr(row, name, None))), None)
    return str(words or ", ".join(str(getattr(row, name)) for name in row.__struct_fields__[:2]))[:80]


def _ids(values: Iterable[tuple[str, object]]) -> tuple[str, ...]:
    return tuple(str(value) for name, value in values if name in _RECORDS and value is not None)


def correction_rows(corrections: Corrections, outcomes: Iterable[Outcome]) -> Iterator[CorrectionRow]:
    """One row for each correction. A correction without an outcome has no target."""
    told: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        told[outcome.correction_id].append(outcome)
    for one in corrections.every.values():
        found = sorted(told[one.id], key=_strongest_first)
        first = found[0] if found else Outcome(one.id, "gone")
        if others := corrections.contradicting.get(one.id):
            first = Outcome(one.id, "contradicts", detail=f"contradicts {', '.join(others)}")
        yield CorrectionRow(
            correction_id=one.id,
            kind=one.kind,
            relation=TABLES[one.table].relation,
            row_key=", ".join(f"{name}={format_value(value)}" for name, value in one.key),
            column_name=one.column,
            subject=first.subject,
            value_before=first.before,
            value_after=format_value(one.value),
            outcome=first.outcome,
            rows_changed=sum(said.outcome == "applied" for said in found),
            detail=first.detail,
            about=tuple(sorted({*first.about, *_ids((*one.key, (one.column, one.value)))})),
            made_by=one.by,
            made_at=one.made_at,
            reason=one.reason,
        )


def _strongest_first(told: Outcome) -> tuple[int, bytes]:
    return CORRECTION_OUTCOMES.index(told.outcome), msgspec.json.encode(told)
