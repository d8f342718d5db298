"""The findings of the gates as lines for the operator: host, field, pages, and what to do."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from shlex import quote

from verdicts.corpus.enumerations import GateMeasure, GateState
from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.pipeline.errors import HeldBack

NAMES: dict[GateMeasure, str] = {
    "comparison": "are no longer comparisons",
    "reviews": "lost reviews",
    "review_text": "show reviews cut to half their length or less",
    "whole_panel": "show fewer reviews than votes",
    "side": "no longer say whose reviews they show",
    "reviewer": "lost the reviewers of their reviews",
    "score": "lost the scores of their reviews",
    "verdict": "lost the verdicts of their reviews",
    "panel": "lost the panel's percentage",
    "tagline": "lost taglines",
    "description": "lost descriptions",
    "category": "lost categories",
    "entry": "lost what starting costs",
    "slug": "lost the links of tools",
    "rating": "lost ratings",
    "decision": "lost verdicts of the Decision table",
    "price": "lost prices",
    "amount": "lost the amounts of their prices",
    "answered": "did not answer",
    "changed": "changed",
    "gone": "are gone",
}
"""What happened to `k of m pages`, or tools."""

SINCE = {
    "night": "since the last accepted night",
    "week": "since 7 accepted nights ago",
    "month": "since 28 accepted nights ago",
    "reread": "with the present extractor, from the same bytes",
    "count": "",
}


DOWN_TODO = "There is nothing to accept: the next run asks again, and the gate opens once the host answers"
"""For a host that does not answer."""


def found_line(row: GateMeasureRow) -> str:
    """`price: 12 of 22 tools lost prices since the last accepted night`."""
    return f"{row.measure}: {finding(row)}"


def finding(row: GateMeasureRow) -> str:
    """`12 of 22 tools lost prices since the last accepted night`."""
    lost = f"{row.lost:,} of {row.had:,} {row.unit}s {NAMES[row.measure]}"
    return f"{lost}, all at once" if row.test == "fixed" else f"{lost} {SINCE[row.test]}".strip()


@dataclass(frozen=True, slots=True)
class HostRows:
    """The rows of a host in a run."""

    host: str
    rows: Sequence[GateMeasureRow]

    def plainest(self, *states: GateState, besides: Collection[GateMeasure] = ()) -> tuple[GateMeasureRow, ...]:
        """The rows in these states, one per measure, of its plainest test. The plainest row comes first."""
        rows = [row for row in self.rows if row.state in states and row.measure not in besides]
        plainest = {row.measure: row for row in sorted(rows, key=_plainness, reverse=True)}
        return tuple(sorted(plainest.values(), key=_plainness))

    @property
    def held(self) -> tuple[GateMeasureRow, ...]:
        """What is held of the host."""
        return self.plainest("held")

    @property
    def is_down(self) -> bool:
        """Whether the host is held only because it does not answer. Then there is nothing to accept.

        If most of its pages are gone or redirect elsewhere, it did answer, and a person may accept that.
        """
        gone = sum(row.lost for row in self.rows if row.measure == "gone")
        return bool(self.held) and all(row.measure == "answered" and gone < row.lost / 2 for row in self.held)


def by_host(rows: Iterable[GateMeasureRow]) -> list[HostRows]:
    """The rows of each host, in the order of their names."""
    hosts = groupby(sorted(rows, key=attrgetter("host")), key=attrgetter("host"))
    return [HostRows(host, [*of_host]) for host, of_host in hosts]


def accept_command(rows: Sequence[GateMeasureRow]) -> str:
    """The command that accepts everything that is held of a host."""
    measures = {row.measure for row in rows}
    measure = f" {next(iter(measures))}" if len(measures) == 1 else ""
    return f"verdicts check --accept {quote(rows[0].host)}{measure} --why TEXT"


def held_lines(rows: Iterable[GateMeasureRow]) -> list[str]:
    """What is held of each held host, with pages, and what to do."""
    lines = []
    for host in by_host(rows):
        if not host.held:
            continue
        word = "down" if host.is_down else "held"
        lines.append(f"{host.host} is {word} (run {host.rows[0].crawl_id}); its rows stay as they were")
        for row in host.held:
            lines += [f"  {found_line(row)}", *(f"    {example}" for example in row.examples)]
        how = f"to accept them as they are: {accept_command(host.held)}"
        todo = f"the hold ends when the pages show it again; {how}"
        lines.append(f"  {DOWN_TODO if host.is_down else todo}")
    return lines


def check_held(rows: Iterable[GateMeasureRow]) -> None:
    """Raises `HeldBack` with the plainest finding if a host is held."""
    # A person can do nothing for a host that is down, so one that waits for a person comes first.
    held = sorted((host for host in by_host(rows) if host.held), key=attrgetter("is_down"))
    if not held:
        return
    host, found = held[0].host, found_line(held[0].held[0])
    others = f", and {len(held) - 1:,} more hosts" if len(held) > 1 else ""
    if held[0].is_down:
        raise HeldBack(f"{host} is down{others}: {found}; readers keep its rows as they were. {DOWN_TODO}")
    raise HeldBack(
        f"{host} is held{others}: {found}; readers keep its rows as they were, 'verdicts check' shows the pages and how"
        " to accept them"
    )


def _plainness(row: GateMeasureRow) -> tuple[int, int]:
    tests = ("fixed", "night", "week", "month", "reread")
    return tests.index(row.test), -row.lost
