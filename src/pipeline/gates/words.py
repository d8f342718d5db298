"""The findings of the gates as lines for the operator: host, field, pages, and what to do."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from shlex import quote

from verdicts.corpus.enumerations import GateMeasure
from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.pipeline.errors import HeldBack

NAMES: dict[GateMeasure, str] = {
    "comparison": "are no longer comparisons",
    "takes": "lost takes",
    "take_text": "show takes cut to half their length or less",
    "whole_panel": "show fewer takes than votes",
    "side": "no longer say whose takes they show",
    "seat": "lost the seats of their takes",
    "score": "lost the scores of their takes",
    "verdict": "lost the verdicts of their takes",
    "panel": "lost the panel's percentage",
    "tagline": "lost taglines",
    "slug": "lost the links of tools",
    "rating": "lost ratings",
    "decision": "lost verdicts of the Decision table",
    "price": "lost prices",
    "amount": "lost the amounts of their prices",
    "attribution": "show takes that are less surely attributed than before",
    "answered": "did not answer",
    "rejects": "can no longer be read",
    "changed": "changed",
    "new": "are new",
    "gone": "are gone",
}
"""What happened to `k of m pages`, or tools."""

SINCE = {
    "night": "since the last accepted night",
    "anew": "of those that changed since the last accepted night",
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


def plainest_rows(rows: Sequence[GateMeasureRow]) -> list[GateMeasureRow]:
    """One row per measure, of its plainest test, for rows of one host. The plainest row comes first."""
    plainest = {row.measure: row for row in sorted(rows, key=_plainness, reverse=True)}
    return sorted(plainest.values(), key=_plainness)


def accept_command(rows: Sequence[GateMeasureRow]) -> str:
    """The command that accepts everything that is held of a host."""
    measures = {row.measure for row in rows}
    measure = f" {next(iter(measures))}" if len(measures) == 1 else ""
    return f"verdicts check --accept {quote(rows[0].host)}{measure} --why TEXT"


def is_down(rows: Sequence[GateMeasureRow]) -> bool:
    """Whether a host is held only because it does not answer. Then there is nothing to accept.

    If most of its pages are gone or redirect elsewhere, it did answer, and a person may accept that.
    """
    gone = sum(row.lost for row in rows if row.measure == "gone")
    held = [row for row in rows if row.state == "held"]
    return bool(held) and all(row.measure == "answered" and gone < row.lost / 2 for row in held)


def host_lines(host: str, rows: Sequence[GateMeasureRow]) -> list[str]:
    """What is held of a host, with pages, and what to do."""
    held = plainest_rows([row for row in rows if row.state == "held"])
    word = "down" if is_down(rows) else "held"
    lines = [f"{host} is {word} (run {rows[0].crawl_id}); its rows stay as they were"]
    for row in held:
        lines.append(f"  {found_line(row)}")
        lines += [f"    {example}" for example in row.examples]
    if is_down(rows):
        return [*lines, f"  {DOWN_TODO}"]
    return [
        *lines,
        f"  the hold ends by itself once the pages show it again; to accept them as they are: {accept_command(held)}",
    ]


def held_lines(rows: Iterable[GateMeasureRow]) -> list[str]:
    """The lines of all held hosts."""
    by_host = groupby(sorted(rows, key=lambda row: row.host), key=lambda row: row.host)
    of_hosts = ((host, [*of_host]) for host, of_host in by_host)
    return [
        line
        for host, of_host in of_hosts
        if any(row.state == "held" for row in of_host)
        for line in host_lines(host, of_host)
    ]


def check_held(rows: Iterable[GateMeasureRow]) -> None:
    """Raises `HeldBack` with the plainest finding if a host is held."""
    rows = [*rows]
    held = [row for row in rows if row.state == "held"]
    if not held:
        return
    hosts = sorted({row.host for row in held})
    first = min((row for row in held if row.host == hosts[0]), key=_plainness)
    others = f", and {len(hosts) - 1:,} more hosts" if len(hosts) > 1 else ""
    if len(hosts) == 1 and is_down([row for row in rows if row.host == hosts[0]]):
        raise HeldBack(f"{hosts[0]} is down: {found_line(first)}; readers keep its rows as they were. {DOWN_TODO}")
    raise HeldBack(
        f"{hosts[0]} is held{others}: {found_line(first)}; readers keep its rows as they were, 'verdicts check' shows"
        " the pages and how to accept them"
    )


def _plainness(row: GateMeasureRow) -> tuple[int, int]:
    tests = ("fixed", "night", "anew", "week", "month", "reread")
    return tests.index(row.test), -row.lost
