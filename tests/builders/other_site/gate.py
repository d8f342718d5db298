"""What a reader makes of a page of the other site: refused, flagged or trusted, and each value right, wrong or lost."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias

from builders.normalize_pages import normalized, rows
from builders.other_site.cases import Case
from builders.other_site.comparing import Value, row_values, values
from builders.other_site.kinds.kind import medium_of
from builders.snapshots import observe, snapshot
from verdicts.extract.model.records import Comparison, Reject

State: TypeAlias = Literal["right", "refused", "flagged, right", "flagged, wrong", "silent"]
"""`silent`: trusted, and wrong or short of something, or trusted though it contradicts itself."""


@dataclass(frozen=True)
class Reading:
    """`flags` are the rules and reasons of the page's discrepancies and rejects. A refused page has no values."""

    case: Case
    refusal: str | None
    flags: tuple[str, ...]
    values: tuple[Value, ...]

    @cached_property
    def faults(self) -> tuple[Value, ...]:
        return tuple(value for value in self.values if value.outcome != "right")

    @property
    def is_refused(self) -> bool:
        return self.refusal is not None

    @property
    def is_trusted(self) -> bool:
        """Neither refused nor flagged: whoever takes the row has no reason to doubt it."""
        return not self.is_refused and not self.flags

    @property
    def state(self) -> State:
        if self.is_refused:
            return "refused"
        if self.case.demand == "doubted":
            return "flagged, right" if self.flags else "silent"
        if self.is_trusted:
            return "silent" if self.faults else "right"
        return "flagged, wrong" if self.faults else "flagged, right"


def read(case: Case) -> Reading:
    page = snapshot(case.body, case.url, media_type=case.media_type)
    (observation,) = observe(page)
    extracted = observation.extracted
    if isinstance(extracted, Reject):
        return Reading(case, f"{extracted.reason}: {extracted.detail}", (), ())
    if not isinstance(extracted, Comparison):
        return Reading(case, f"read as a {type(extracted).__name__}", (), ())
    corpus = normalized(observation)
    flags = tuple(
        [f"{row.rule}: expected {row.expected}, found {row.found}" for row in rows(corpus, "discrepancies")]
        + [f"{row.reason}: {row.detail}" for row in rows(corpus, "rejects")]
    )
    if case.demand == "doubted":
        return Reading(case, None, flags, ())
    key = case.key
    return Reading(case, None, flags, (*values(extracted, key), *row_values(corpus, key)))


COLUMNS = (
    "pages",
    "all right",
    "refused",
    "flagged, right",
    "flagged, wrong",
    "silent pages",
    "values right",
    "wrong",
    "lost",
    "silent wrong",
    "silent lost",
)


COLUMN_OF: dict[State, str] = {
    "right": "all right",
    "refused": "refused",
    "flagged, right": "flagged, right",
    "flagged, wrong": "flagged, wrong",
    "silent": "silent pages",
}


def counts(readings: Iterable[Reading]) -> Counter[str]:
    """The sums over some pages, by the names of `COLUMNS`; every page is counted in one of the next five.

    A page that must be doubted counts as flagged and right where it is flagged.
    """
    total: Counter[str] = Counter()
    for reading in readings:
        total["pages"] += 1
        total[COLUMN_OF[reading.state]] += 1
        for value in reading.values:
            total["values right" if value.outcome == "right" else value.outcome] += 1
            if reading.is_trusted and value.outcome != "right":
                total[f"silent {value.outcome}"] += 1
    return total


def grouped(readings: Sequence[Reading], name: Callable[[Reading], str]) -> Iterator[tuple[str, Counter[str]]]:
    """A row a group in the order of first appearance, and a last row for all."""
    for group in dict.fromkeys(map(name, readings)):
        yield group, counts(reading for reading in readings if name(reading) == group)
    yield "all", counts(readings)


def shown(reading: Reading, folder: Path) -> Iterator[str]:
    """What is wrong with a page, in lines for a person, who finds the page in the folder."""
    case = reading.case
    ending = "html" if medium_of(case.layout) == "html" else "txt"
    path = folder / f"{case.layout}-{case.seed}-{case.name.replace(' ', '_').replace('/', '_')}.{ending}"
    path.write_bytes(case.body)
    yield f"{reading.state}: {case.name}, {case.layout}, seed {case.seed}, may be asked: {case.demand}: {path}"
    if reading.refusal:
        yield f"    {reading.refusal}"
    for flag in reading.flags:
        yield f"    flag {flag}"
    for fault in reading.faults:
        yield f"    {fault.outcome} {fault.field} [{fault.at}]: expected {fault.expected!r}, found {fault.found!r}"
