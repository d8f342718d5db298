"""The state of the gates as a person reads it: each host in a line, then what is held, what is told, what to watch."""

from collections.abc import Sequence
from itertools import groupby

import click

from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.pipeline.gates.words import found_line, held_lines
from verdicts.pipeline.terminal import shown_line

SHOWN = ("alert", "shadow", "accepted", "watch")
"""States beside held that have something to read."""


def print_gates(rows: Sequence[GateMeasureRow], *, is_judged: bool) -> None:
    """Prints the newest run of every host. `is_judged`: of the newest run of all, too."""
    if not rows:
        click.echo("nothing was judged yet: the gates look at each run when it is built")
    for host, of_host in groupby(sorted(rows, key=lambda row: row.host), key=lambda row: row.host):
        _print_host(host, [*of_host])
    for line in held_lines(rows):
        click.echo(shown_line(line))
    if rows and not is_judged:
        click.echo("the newest run is not built yet; 'verdicts build' judges it")


def _print_host(host: str, rows: Sequence[GateMeasureRow]) -> None:
    states = {row.state for row in rows}
    state = next((state for state in ("held", "unjudged", *SHOWN) if state in states), "passed")
    word = {"unjudged": "not judged yet: nothing of it was accepted before", "passed": "passed"}.get(state, state)
    click.echo(shown_line(f"{host}: {word} ({rows[0].crawl_id}, {len(rows)} tests)"))
    for row in sorted(rows, key=lambda row: row.state):
        if row.state in SHOWN:
            click.echo(shown_line(f"  {row.state}: {found_line(row)}"))
            for example in row.examples:
                click.echo(shown_line(f"    {example}"))
