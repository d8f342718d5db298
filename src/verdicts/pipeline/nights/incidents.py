"""Incidents from night to night: each is opened once, reported again after a while, and closed. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from verdicts.corpus.text import escape_unstorable
from verdicts.fetch.model.outcome import FAILURES, Outcome
from verdicts.fetch.run.endings import NOT_ASKED
from verdicts.pipeline.exit_codes import AlertOn
from verdicts.pipeline.gates.holds import describe_loss, group_by_host
from verdicts.pipeline.gates.thresholds import SILENT_PAGES, SILENT_SHARE
from verdicts.pipeline.nights.record import KILLED, Incident, NightRecord

if TYPE_CHECKING:
    from verdicts.pipeline.sources.config_sections import AlertsConfig

REMIND_AFTER = timedelta(days=7)
"""An open incident is reported again after this time."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What to report about a night, and what is open after it."""

    opened: tuple[Incident, ...]
    reminders: tuple[Incident, ...]
    closed: tuple[Incident, ...]
    open: tuple[Incident, ...]

    def __bool__(self) -> bool:
        return bool(self.opened or self.reminders or self.closed)

    def note_report(self, at: datetime) -> tuple[Incident, ...]:
        """The open incidents, after the changes were reported."""
        reported = {item.key for item in (*self.opened, *self.reminders)}
        return tuple(replace(item, reported_at=at) if item.key in reported else item for item in self.open)


def find_incidents(record: NightRecord, at: datetime, *, killed: str | None) -> list[Incident]:
    """Tonight's incidents, each as if it had begun tonight. `killed`: the id of an earlier night without an ending."""

    def incident(host: str, cause: str, kind: AlertOn, words: str) -> Incident:
        return Incident(escape_unstorable(host), cause, kind, escape_unstorable(words), at)

    incidents, hosts = [], group_by_host(record.gates)
    for host in hosts:
        if host.holds:
            words = "; ".join(map(describe_loss, host.holds))
            todo = "the next run asks again" if host.is_down else "'verdicts check' shows why"
            incidents.append(incident(host.host, "held", "held", f"{words}. Its rows stay as they were; {todo}"))
    down = {host.host for host in hosts if host.is_down}
    for crawled in () if record.crawl is None else record.crawl.hosts:
        silent, asked = crawled.count(*FAILURES, *NOT_ASKED), crawled.count(*Outcome, *NOT_ASKED)
        if silent >= SILENT_PAGES and silent >= SILENT_SHARE * asked and crawled.host not in down:
            words = f"{silent:,} of {asked:,} addresses did not answer"
            incidents.append(incident(crawled.host, "answered", "partial", words))
    if killed is not None:
        incidents.append(incident("", "killed", "failed", f"night {killed} {KILLED}"))
    if record.status in {"failed", "refused"}:
        incidents.append(incident("", str(record.status), "failed", record.headline))
    if record.status == "partial" or record.in_part:
        incidents.append(incident("", "partial", "partial", record.in_part or record.headline))
    if record.status == "held" and not any(item.cause == "held" for item in incidents):
        # An audit or a failed normalization holds the whole corpus.
        incidents.append(incident("", "held", "held", record.headline))
    return incidents


def compare_incidents(
    before: Sequence[Incident], tonight: Sequence[Incident], record: NightRecord, at: datetime, alerts: "AlertsConfig"
) -> Changes:
    """Compares tonight's incidents with the open ones. Unreported incidents are reported again.

    Incidents of hosts that did not answer, or were not asked, stay open.
    """
    past = {item.key: item for item in before}
    present = [
        replace(past[item.key], words=item.words, kind=item.kind) if item.key in past else item for item in tonight
    ]
    silent = {
        escape_unstorable(host.host)
        for host in (record.crawl.hosts if record.crawl else ())
        if not host.count_answered()
    }
    gone = [item for item in before if item.key not in {item.key for item in present}]
    # Without a build, nothing is known about the pages.
    is_judged = {True: record.load_id is not None, False: record.status in {"done", "partial", "held"}}
    closed = [item for item in gone if item.host not in silent and is_judged[bool(item.host)]]
    reportable = [item for item in present if item.kind in alerts.on]
    reported = [(item, item.reported_at) for item in reportable if item.reported_at is not None]
    return Changes(
        opened=tuple(item for item in reportable if item.reported_at is None),
        reminders=tuple(item for item, moment in reported if at - moment >= REMIND_AFTER),
        # The end of an unreported incident is not reported either.
        closed=tuple(item for item in closed if item.reported_at is not None),
        open=tuple(sorted((*present, *(item for item in gone if item not in closed)), key=lambda item: item.key)),
    )
