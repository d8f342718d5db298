"""What is wrong from night to night: each incident is opened once, reminded of, and closed. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from verdicts.corpus.rows.gates import GateMeasureRow
from verdicts.pipeline.gates.words import found_line, is_down, plainest_rows
from verdicts.pipeline.nights.ending import NightEnding

if TYPE_CHECKING:
    from verdicts.pipeline.sources.config_sections import AlertOn


@dataclass(frozen=True, slots=True)
class Cause:
    """Something that is wrong tonight. Night after night it is the same incident where host and cause are the same."""

    host: str
    """Empty: the night as a whole."""
    cause: str
    """`held`, `answered`, `rejects`, `failed`, `refused`, `killed`, `partial`."""
    kind: AlertOn
    """Which setting asks for it to be told."""
    words: str
    """One line: what, and what to do."""


@dataclass(frozen=True, slots=True)
class Incident:
    """A cause that was found, and not yet found to be gone."""

    host: str
    cause: str
    kind: AlertOn
    words: str
    """As of the newest night that found it."""
    opened_at: datetime
    opened_in: str
    """Night that found it first."""
    told_at: datetime | None = None
    """When somebody was last told of it. None: never, as nobody is to be, or no address could be reached."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What is to be told of one night, and what is open after it."""

    opened: tuple[Incident, ...]
    reminders: tuple[Incident, ...]
    closed: tuple[Incident, ...]
    open: tuple[Incident, ...]

    def __bool__(self) -> bool:
        """Whether anybody is told anything."""
        return bool(self.opened or self.reminders or self.closed)


def causes_of(ending: NightEnding, measures: Sequence[GateMeasureRow], *, was_killed: str | None) -> list[Cause]:
    """What is wrong tonight. `measures`: what the gates found in the newest run of every host.

    `was_killed`: a night before that left no ending.
    """
    causes = _of_hosts(measures)
    if was_killed is not None:
        words = f"night {was_killed} ended without a word: its process was killed, or the machine went down"
        causes.append(Cause("", "killed", "failed", words))
    if ending.status in {"failed", "refused"}:
        causes.append(Cause("", ending.status, "failed", ending.headline))
    if ending.status == "partial" or ending.in_part:
        causes.append(Cause("", "partial", "partial", ending.in_part or ending.headline))
    if ending.status == "held" and not any(cause.cause == "held" for cause in causes):
        # The corpus as a whole, by an audit or since normalization failed.
        causes.append(Cause("", "held", "held", ending.headline))
    return causes


def _of_hosts(measures: Sequence[GateMeasureRow]) -> list[Cause]:
    causes = []
    for host in sorted({row.host for row in measures}):
        of_host = [row for row in measures if row.host == host]
        held = plainest_rows([row for row in of_host if row.state == "held"])
        if held:
            words = "; ".join(map(found_line, held))
            todo = "the next run asks again" if is_down(of_host) else "'verdicts check' shows why"
            causes.append(Cause(host, "held", "held", f"{words}. Its rows stay as they were; {todo}"))
        held_measures = {row.measure for row in held}
        told = plainest_rows([row for row in of_host if row.state == "alert" and row.measure not in held_measures])
        causes += [Cause(host, row.measure, "partial", found_line(row)) for row in told]
    return causes


def silent_hosts(measures: Iterable[GateMeasureRow]) -> frozenset[str]:
    """The hosts of which the newest run had no answer."""
    return frozenset(
        row.host for row in measures if (row.measure, row.test) == ("answered", "night") and row.lost >= row.had
    )


def changes_of(
    before: Sequence[Incident],
    causes: Sequence[Cause],
    ending: NightEnding,
    *,
    silent: Collection[str],
    on: Sequence[AlertOn],
    remind_after: timedelta,
) -> Changes:
    """What the causes of a night make of the open incidents. One that nobody could be told of is told again.

    Of hosts that were `silent` no incident is over: they did not answer, or were not asked.
    """
    known = {(incident.host, incident.cause): incident for incident in before}
    found = [_found(known.get((cause.host, cause.cause)), cause, ending) for cause in causes]
    keys = {(incident.host, incident.cause) for incident in found}
    gone = [incident for key, incident in known.items() if key not in keys]
    closed = [incident for incident in gone if incident.host not in silent and _is_judged(incident, ending)]
    kept = [incident for incident in gone if incident not in closed]
    told = [incident for incident in found if incident.kind in on]
    reminded = [item for item in told if item.told_at is not None and ending.ended_at - item.told_at >= remind_after]
    return Changes(
        opened=tuple(item for item in told if item.told_at is None),
        reminders=tuple(reminded),
        # Of what nobody heard of nobody need hear that it is over.
        closed=tuple(item for item in closed if item.told_at is not None),
        open=tuple(sorted((*found, *kept), key=lambda item: (item.host, item.cause))),
    )


def _found(known: Incident | None, cause: Cause, ending: NightEnding) -> Incident:
    if known is not None:
        return replace(known, words=cause.words, kind=cause.kind)
    return Incident(cause.host, cause.cause, cause.kind, cause.words, ending.ended_at, ending.night_id)


def _is_judged(incident: Incident, ending: NightEnding) -> bool:
    """Whether a night would have found the incident: one that came to no build says nothing of the hosts' pages."""
    if incident.host:
        return ending.load_id is not None
    return ending.status in {"done", "partial", "held"}


def told(changes: Changes, at: datetime) -> Changes:
    """The same, once somebody was told."""
    heard = {(item.host, item.cause) for item in (*changes.opened, *changes.reminders)}
    marked = [replace(item, told_at=at) if (item.host, item.cause) in heard else item for item in changes.open]
    return replace(changes, open=tuple(marked))
