"""Incidents from night to night: each is opened once, reported again after a while, and closed. Pure."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.corpus.text import escaped
from verdicts.pipeline.exit_codes import AlertOn
from verdicts.pipeline.gates.words import by_host, found_line
from verdicts.pipeline.nights.record import KILLED, Incident, NightRecord

if TYPE_CHECKING:
    from verdicts.pipeline.sources.config_sections import AlertsConfig


@dataclass(frozen=True, slots=True)
class Changes:
    """What to report about a night, and what is open after it."""

    opened: tuple[Incident, ...]
    reminders: tuple[Incident, ...]
    closed: tuple[Incident, ...]
    open: tuple[Incident, ...]

    def __bool__(self) -> bool:
        return bool(self.opened or self.reminders or self.closed)

    def reported(self, at: datetime) -> tuple[Incident, ...]:
        """The open incidents, after the changes were reported."""
        heard = {item.key for item in (*self.opened, *self.reminders)}
        return tuple(replace(item, reported_at=at) if item.key in heard else item for item in self.open)


def find_incidents(
    record: NightRecord, at: datetime, measures: Sequence[GateMeasureRow], *, was_killed: str | None
) -> list[Incident]:
    """Tonight's incidents, each as if it had begun tonight.

    `measures`: rows of the newest run of every host. `was_killed`: the id of an earlier night without an ending.
    """

    def incident(host: str, cause: str, kind: AlertOn, words: str) -> Incident:
        return Incident(escaped(host), cause, kind, escaped(words), at, record.night_id)

    found = []
    for host in by_host(measures):
        if host.held:
            words = "; ".join(map(found_line, host.held))
            todo = "the next run asks again" if host.is_down else "'verdicts check' shows why"
            found.append(incident(host.host, "held", "held", f"{words}. Its rows stay as they were; {todo}"))
        alerts = host.plainest("alert", besides={row.measure for row in host.held})
        found += [incident(host.host, row.measure, "partial", found_line(row)) for row in alerts]
    if was_killed is not None:
        words = f"night {was_killed} left no ending: {KILLED}"
        found.append(incident("", "killed", "failed", words))
    if record.status in {"failed", "refused"}:
        found.append(incident("", str(record.status), "failed", record.headline))
    if record.status == "partial" or record.in_part:
        found.append(incident("", "partial", "partial", record.in_part or record.headline))
    if record.status == "held" and not any(item.cause == "held" for item in found):
        # An audit or a failed normalization holds the whole corpus.
        found.append(incident("", "held", "held", record.headline))
    return found


def find_silent_hosts(measures: Iterable[GateMeasureRow]) -> frozenset[str]:
    """Hosts without any answer in their newest run."""
    return frozenset(
        row.host for row in measures if (row.measure, row.test) == ("answered", "night") and row.lost >= row.had
    )


def compare_incidents(
    before: Sequence[Incident],
    tonight: Sequence[Incident],
    record: NightRecord,
    at: datetime,
    alerts: "AlertsConfig",
    *,
    silent: Collection[str],
) -> Changes:
    """Compares tonight's incidents with the open ones. Unreported incidents are reported again.

    Incidents of `silent` hosts stay open: these hosts did not answer, or were not asked.
    """
    known = {item.key: item for item in before}
    found = [
        replace(known[item.key], words=item.words, kind=item.kind) if item.key in known else item for item in tonight
    ]
    keys = {item.key for item in found}
    gone = [item for item in before if item.key not in keys]
    closed = [item for item in gone if item.host not in silent and _is_judged(item, record)]
    wanted = [item for item in found if item.kind in alerts.on]
    return Changes(
        opened=tuple(item for item in wanted if item.reported_at is None),
        reminders=tuple(
            item for item in wanted if item.reported_at is not None and at - item.reported_at >= alerts.remind_after
        ),
        # The end of an unreported incident is not reported either.
        closed=tuple(item for item in closed if item.reported_at is not None),
        open=tuple(sorted((*found, *(item for item in gone if item not in closed)), key=lambda item: item.key)),
    )


def _is_judged(incident: Incident, record: NightRecord) -> bool:
    """Whether tonight would have found the incident. Without a build, nothing is known about the pages."""
    if incident.host:
        return record.load_id is not None
    return record.status in {"done", "partial", "held"}
