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
            correction
            for id_, correction in self.every.items()
            if (correction.kind, correction.table) == (kind, table) and id_ not in self.contradicting
        ]

    def list_apart(self, table: str) -> frozenset[frozenset[str]]:
        """The pairs of ids that people declare to be different."""
        return frozenset(
            frozenset((correction.target, correction.decision)) for correction in self.select("different", table)
        )

    def correct_rows(self, table: str, rows: Iterable[Any]) -> tuple[list[Any], list[Outcome]]:
        """The rows with their corrected values, and the outcomes of the corrections."""
        if not self.every:
            return [*rows], []
        for present in PRESENT.get(table, ()):
            rows = self._correct_states(present, rows)
        outcomes = list[Outcome]()
        return [
            _correct_row(row, corrections, outcomes) if corrections else row
            for row, corrections in self._find(table, rows)
        ], outcomes

    def _find(self, table: str, rows: Iterable[Any]) -> Iterator[tuple[Any, Sequence[Correction]]]:
        """Each row with the corrections of the row of a table that has its key."""
        names, by_key = TABLES[table].key, defaultdict[tuple[Value, ...], list[Correction]](list)
        for correction in self.select("value", table):
            by_key[tuple(dict(correction.key)[name] for name in names)].append(correction)
        for row in rows:
            yield row, by_key.get(tuple(getattr(row, name) for name in names), ()) if by_key else ()

    def _correct_states(self, table: str, rows: Iterable[Any]) -> Iterator[Any]:
        """States of the rows of a table, corrected where they have the value that the person saw in the table."""
        for row, corrections in self._find(table, rows):
            values = {
                correction.column: correction.value
                for correction in corrections
                if getattr(row, correction.column, correction.value) == correction.was
            }
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


def _correct_row(row: Any, corrections: Sequence[Correction], outcomes: list[Outcome]) -> Any:  # noqa: ANN401  of any table
    """The row with its corrected values. Adds the outcome of each correction to `outcomes`."""
    columns: dict[str, list[Correction]] = defaultdict(list)
    for correction in corrections:
        columns[correction.column].append(correction)
    values: dict[str, Value] = {}
    for column, of_column in columns.items():
        present = getattr(row, column)
        fitting = [correction for correction in of_column if _is_as_seen(correction, row)]
        is_clear = len({correction.value for correction in fitting}) == 1
        for correction in of_column:
            outcome: CorrectionOutcome = "applied" if is_clear else "contradicts"
            if correction not in fitting:
                outcome = "agrees" if present == correction.value else "gone"
            elif is_clear:
                values[column] = correction.value
            detail = (
                f"the row is not as the person saw it, {_describe_target(correction)}" if outcome == "gone" else None
            )
            outcomes.append(
                Outcome(
                    correction.id,
                    outcome,
                    describe_row(row),
                    format_value(present),
                    detail,
                    _list_ids(asdict(row).items()),
                )
            )
    return replace(row, **values) if values else row


def collect_corrections(given: Iterable[Correction]) -> Corrections:
    """The corrections in any order, with those that contradict each other."""
    every = {correction.id: correction for correction in sorted(given, key=lambda correction: correction.id)}
    against: dict[str, set[str]] = defaultdict(set)
    for group in (*_find_contradictions(every.values()), *_find_circles(every.values())):
        ids = {correction.id for correction in group}
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
    for correction in every:
        if correction.kind != "different":
            groups[correction.kind, correction.table, correction.key, correction.column, correction.was].append(
                correction
            )
    return (group for group in groups.values() if len({correction.value for correction in group}) > 1)


def _find_circles(every: Iterable[Correction]) -> Iterator[Sequence[Correction]]:
    """Ids that go into each other in a circle, and ids that become one although they are declared different."""
    into = {correction.target: correction for correction in every if correction.kind == "same"}
    for correction in every:
        way = follow(correction.target, into)
        if correction.kind == "same" and way[-1].decision == correction.target:
            yield way
        elif correction.kind == "different":
            other_way = follow(correction.decision, into)
            if (way[-1].decision if way else correction.target) == (
                other_way[-1].decision if other_way else correction.decision
            ):
                yield correction, *way, *other_way


def _is_as_seen(correction: Correction, row: Any) -> bool:  # noqa: ANN401
    return getattr(row, correction.column) == correction.was and all(
        getattr(row, name) == value for name, value in correction.key
    )


def _describe_target(correction: Correction) -> str:
    seen = {name: value for name, value in correction.key if name not in TABLES[correction.table].key} | {
        correction.column: correction.was
    }
    return " and ".join(f"{name} {format_value(value) or 'empty'}" for name, value in seen.items())


def format_value(value: Value) -> str | None:
    """A value as a text."""
    return value if value is None or isinstance(value, str) else msgspec.json.encode(value).decode()


def describe_row(row: Any) -> str:  # noqa: ANN401
    """A row in words: its name, or the beginning of its text."""
    words = next((value for name in ("name", "title", "raw", "text") if (value := getattr(row, name, None))), None)
    return str(words or ", ".join(str(getattr(row, name)) for name in row.__struct_fields__[:2]))[:80]


def _list_ids(values: Iterable[tuple[str, object]]) -> tuple[str, ...]:
    return tuple(str(value) for name, value in values if name in _RECORDS and value is not None)


def make_correction_rows(corrections: Corrections, outcomes: Iterable[Outcome]) -> Iterator[CorrectionRow]:
    """One row for each correction. A correction without an outcome has no target."""
    by_correction: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_correction[outcome.correction_id].append(outcome)
    for correction in corrections.every.values():
        of_correction = sorted(by_correction[correction.id], key=_rank_outcome)
        first = of_correction[0] if of_correction else Outcome(correction.id, "gone")
        if others := corrections.contradicting.get(correction.id):
            first = Outcome(correction.id, "contradicts", detail=f"contradicts {', '.join(others)}")
        yield CorrectionRow(
            correction_id=correction.id,
            kind=correction.kind,
            relation=TABLES[correction.table].relation,
            row_key=", ".join(f"{name}={format_value(value)}" for name, value in correction.key),
            column_name=correction.column,
            subject=first.subject,
            value_before=first.before,
            value_after=format_value(correction.value),
            outcome=first.outcome,
            rows_changed=sum(outcome.outcome == "applied" for outcome in of_correction),
            detail=first.detail,
            about=tuple(sorted({*first.about, *_list_ids((*correction.key, (correction.column, correction.value)))})),
            made_by=correction.by,
            made_at=correction.made_at,
            reason=correction.reason,
        )


def _rank_outcome(outcome: Outcome) -> tuple[int, bytes]:
    return CORRECTION_OUTCOMES.index(outcome.outcome), msgspec.json.encode(outcome)
