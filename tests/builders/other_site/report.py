"""What the gate counts, by class and by kind."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from builders.other_site.gate import Reading, State
from builders.other_site.kinds.kind import medium_of

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
