"""What the gates noted, as the report shows it. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from verdicts.corpus.rows.gates import GateAcceptRow, GateMeasureRow
from verdicts.pipeline.gates.words import accept_command, found_line, is_down, plainest_rows
from verdicts.pipeline.nights.report.facts import Accepted, Command, Example, Gates, HeldHost, Loss, some

TOLD = ("alert", "shadow", "accepted")
"""States of losses that hold nothing and are told."""

NIGHTS_DRAWN = 28
"""Runs of a sparkline."""


def gates_of(
    in_force: Sequence[GateMeasureRow], all_rows: Sequence[GateMeasureRow], accepts: Sequence[GateAcceptRow]
) -> Gates:
    """`in_force` are the rows of every host's newest run, `all_rows` also those of the runs before.

    A measure that is held of a host is not told again, and one that is told is not watched.
    """
    histories = _histories(in_force, all_rows)
    by_host = {host: [*rows] for host, rows in groupby(sorted(in_force, key=_host), key=_host)}
    hosts: list[HeldHost] = []
    told: list[Loss] = []
    watch: list[Loss] = []
    for rows in by_host.values():
        if held := plainest_rows([row for row in rows if row.state == "held"]):
            hosts.append(_held_host(held, histories, is_down=is_down(rows)))
        shown = {row.measure for row in held}
        for states, losses in ((TOLD, told), (("watch",), watch)):
            others = plainest_rows([row for row in rows if row.state in states and row.measure not in shown])
            losses += [_loss(row, histories) for row in others]
            shown |= {row.measure for row in others}
    return Gates(
        held=some(sorted(hosts, key=lambda host: -max(loss.lost for loss in host.losses.shown))),
        losses=some(sorted(told, key=_most_first)),
        watch=some(sorted(watch, key=_most_first)),
        accepted=some(_accepted(accepts)),
        unjudged=some(sorted({row.host for row in in_force if row.state == "unjudged"})),
    )


def most_lost(rows: Iterable[GateMeasureRow]) -> int:
    """Pages or tools of a host that lack what they had on the last accepted night, by the measure that most lack."""
    return max((row.lost for row in rows if row.level == "hold" and row.test == "night"), default=0)


def example_of(text: str) -> Example:
    """`http://a.example/x: before → after`, as `pipeline.gates.tonight` writes it; what is none has no page."""
    page, colon, words = text.partition(": ")
    before, arrow, after = words.partition(" → ")
    return Example(page, before, after) if colon and arrow else Example(None, text, "")


def _held_host(rows: Sequence[GateMeasureRow], histories: "Histories", *, is_down: bool) -> HeldHost:
    losses: list[Loss] = []
    for row in rows:
        loss = _loss(row, histories)
        # Of prices that became `$0` both `price` and `amount` are lost, on the same pages.
        is_shown = any(loss.examples == other.examples for other in losses)
        losses.append(replace(loss, examples=()) if is_shown else loss)
    accept = None if is_down else Command(accept_command(rows))
    return HeldHost(rows[0].host, rows[0].crawl_id, some(losses), accept)


def _host(row: GateMeasureRow) -> str:
    return row.host


def _loss(row: GateMeasureRow, histories: "Histories") -> Loss:
    examples = tuple(example_of(text) for text in row.examples)
    history = histories.get(_series(row), ())
    return Loss(row.host, row.measure, row.state, row.lost, row.had, found_line(row), examples, tuple(history))


def _most_first(loss: Loss) -> tuple[int, str, str]:
    return -loss.lost, loss.host, loss.measure


Histories = dict[tuple[str, ...], list[float]]


def _series(row: GateMeasureRow) -> tuple[str, ...]:
    return row.host, row.measure, row.test, row.unit


def _histories(in_force: Sequence[GateMeasureRow], all_rows: Sequence[GateMeasureRow]) -> Histories:
    """Of every measure that is told: the share of pages or tools that lost it, run by run, up to the newest."""
    drawn = {_series(row) for row in in_force if row.state in {"held", "watch", *TOLD}}
    histories: Histories = {}
    for row in sorted(all_rows, key=lambda row: row.crawl_id):
        if _series(row) in drawn and row.had:
            histories.setdefault(_series(row), []).append(min(1.0, row.lost / row.had))
    return {key: shares[-NIGHTS_DRAWN:] for key, shares in histories.items()}


def _accepted(accepts: Sequence[GateAcceptRow]) -> list[Accepted]:
    """The newest of each host and measure, the newest first: a later one replaces what was accepted before."""
    newest = {(row.host, row.measure): row for row in sorted(accepts, key=lambda row: row.accepted_at)}
    rows = sorted(newest.values(), key=lambda row: row.accepted_at, reverse=True)
    return [Accepted(row.host, row.measure, row.accepted_at, row.accepted_by, row.reason) for row in rows]
