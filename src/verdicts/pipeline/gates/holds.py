"""What the gates hold, as lines for the operator: host, field, pages, and what to do."""

import tomllib
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from verdicts.corpus.enumerations import GateMeasure, GateState
from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.pipeline.pipeline_errors import HeldBack

LOSS_WORDS = tomllib.loads(Path(__file__).with_name("losses.toml").read_text(encoding="utf-8"))

DOWN_TODO = "There is nothing to accept: the next run asks again, and the hold ends once the host answers"
"""For a host that does not answer."""


def find_newest_runs(rows: Iterable[GateMeasureRow]) -> dict[str, str]:
    """The newest run by host."""
    return {row.host: row.crawl_id for row in sorted(rows, key=attrgetter("crawl_id"))}


def pick_newest_rows(rows: Sequence[GateMeasureRow]) -> list[GateMeasureRow]:
    """The rows in force: those of the newest run of each host."""
    newest = find_newest_runs(rows)
    return [row for row in rows if row.crawl_id == newest[row.host]]


def describe_loss(row: GateMeasureRow) -> str:
    """`price: 12 of 22 tools lost prices since the last accepted night`."""
    words = LOSS_WORDS["measures"][row.measure] + LOSS_WORDS["tests"][row.test]
    return f"{row.measure}: {row.lost:,} of {row.had:,} {row.unit}s {words}"


class HostRows(NamedTuple):
    """The rows of a host in a run."""

    host: str
    rows: Sequence[GateMeasureRow]

    def pick(self, *states: GateState, besides: Collection[GateMeasure] = ()) -> tuple[GateMeasureRow, ...]:
        """The rows in these states, one per measure, of its plainest test. The plainest row comes first."""
        plainest: dict[GateMeasure, GateMeasureRow] = {}
        for row in sorted(self.rows, key=lambda row: ([*LOSS_WORDS["tests"]].index(row.test), -row.lost)):
            if row.state in states and row.measure not in besides:
                plainest.setdefault(row.measure, row)
        return tuple(plainest.values())

    @property
    def holds(self) -> tuple[GateMeasureRow, ...]:
        """What is held of the host."""
        return self.pick("held")

    @property
    def is_down(self) -> bool:
        """Whether the host is held only because it does not answer. Then there is nothing to accept.

        If most of its pages are gone or redirect elsewhere, it did answer, and a person may accept that.
        """
        gone = sum(row.lost for row in self.rows if row.measure == "gone")
        return bool(self.holds) and all(row.measure == "answered" and gone < row.lost / 2 for row in self.holds)


def group_by_host(rows: Iterable[GateMeasureRow]) -> list[HostRows]:
    """The rows of each host, in the order of their names."""
    by_host = attrgetter("host")
    return [HostRows(host, [*group]) for host, group in groupby(sorted(rows, key=by_host), by_host)]


def make_accept_command(rows: Sequence[GateMeasureRow]) -> str:
    """The command that accepts everything that is held of a host."""
    measures = {row.measure for row in rows}
    measure = f" {next(iter(measures))}" if len(measures) == 1 else ""
    return f"verdicts check --accept {quote(rows[0].host)}{measure} --why TEXT"


def list_holds(rows: Iterable[GateMeasureRow]) -> list[str]:
    """What is held of each held host, with pages, and what to do."""
    lines = []
    for host in group_by_host(rows):
        if host.holds:
            word = "down" if host.is_down else "held"
            lines.append(f"{host.host} is {word} (run {host.rows[0].crawl_id}); its rows stay as they were")
            for row in host.holds:
                lines += [f"  {describe_loss(row)}", *(f"    {example}" for example in row.examples)]
            accept = f"to accept them as they are: {make_accept_command(host.holds)}"
            lines.append(f"  {DOWN_TODO if host.is_down else f'the hold ends when the pages show it again; {accept}'}")
    return lines


def check_holds(rows: Iterable[GateMeasureRow]) -> None:
    """Raises `HeldBack` with the plainest finding if a host is held."""
    # A person can do nothing for a host that is down, so one that waits for a person comes first.
    hosts = sorted((host for host in group_by_host(rows) if host.holds), key=attrgetter("is_down"))
    if not hosts:
        return
    more = f", and {len(hosts) - 1:,} more hosts" if len(hosts) > 1 else ""
    host, loss = hosts[0].host, describe_loss(hosts[0].holds[0])
    if hosts[0].is_down:
        raise HeldBack(f"{host} is down{more}: {loss}; readers keep its rows as they were. {DOWN_TODO}")
    todo = "readers keep its rows as they were, 'verdicts check' shows the pages and how to accept them"
    raise HeldBack(f"{host} is held{more}: {loss}; {todo}")
