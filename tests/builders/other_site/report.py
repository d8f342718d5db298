"""What the gate counts, by class and by kind."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from builders.other_site.cases import medium_of
from builders.other_site.gate import Reading

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


def counts(readings: Iterable[Reading]) -> Counter[str]:
    """The sums over some pages, by the names of `COLUMNS`. `all right` are trusted or flagged without reason."""
    total: Counter[str] = Counter()
    for reading in readings:
        total["pages"] += 1
        total["all right"] += reading.is_right
        total["refused"] += reading.is_refused
        total["silent pages"] += reading.is_silent
        if reading.flags:
            total["flagged, right" if reading.is_right else "flagged, wrong"] += 1
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
    yield f"{state(reading)}: {case.name}, {case.layout}, seed {case.seed}, may be asked: {case.demand}: {path}"
    if reading.refusal:
        yield f"    {reading.refusal}"
    for flag in reading.flags:
        yield f"    flag {flag}"
    for fault in reading.faults:
        yield f"    {fault.outcome} {fault.field} [{fault.at}]: expected {fault.expected!r}, found {fault.found!r}"


def state(reading: Reading) -> str:
    if reading.is_silent:
        return "SILENT"
    if reading.is_refused:
        return "refused"
    return "flagged" if reading.flags else "right"
