"""Incidents from night to night: each is opened once, reported again after a while, and closed.

`reports/incidents.json` has the open ones and the addresses that could not be reached. It is always replaced as a
whole.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, TypeAlias

from msgspec import Meta, MsgspecError, json

from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.corpus.text import escaped
from verdicts.fetch.given_files import read_file
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.exit_codes import AlertOn
from verdicts.pipeline.gates.words import by_host, found_line
from verdicts.pipeline.nights.night_log import NightEnding
from verdicts.warehouse.storage.durable import replace_text

if TYPE_CHECKING:
    from verdicts.pipeline.sources.config_sections import AlertsConfig

Moment: TypeAlias = Annotated[datetime, Meta(tz=True)]


@dataclass(frozen=True, slots=True)
class Incident:
    """Something that is wrong. Host and cause identify it from night to night."""

    host: str
    """Empty for the night as a whole."""
    cause: str
    """`held`, `answered`, `rejects`, `failed`, `refused`, `killed`, `partial`."""
    kind: AlertOn
    """The setting that asks for it."""
    words: str
    """One line, as of the newest night: what is wrong, and what to do."""
    opened_at: Moment
    opened_in: str
    """The first night with it."""
    reported_at: Moment | None = None
    """When it was last reported. None if nobody wants it, or no address could be reached."""

    @property
    def key(self) -> tuple[str, str]:
        return self.host, self.cause

    @property
    def subject(self) -> str:
        """`a.example: held`."""
        return f"{escaped(self.host) or 'the night'}: {self.cause}"

    @property
    def line(self) -> str:
        """`a.example: held, since 2026-11-21: price: 104 of 130 pages lost prices ...`."""
        return f"{self.subject}, since {self.opened_at:%Y-%m-%d}: {escaped(self.words)}"


@dataclass(frozen=True, slots=True)
class Undelivered:
    """An address that could not be reached, without its secrets, and the reason."""

    address: str
    why: str
    night_id: str


@dataclass(frozen=True, slots=True)
class Incidents:
    open: tuple[Incident, ...] = ()
    undelivered: tuple[Undelivered, ...] = ()
    """As of the newest night that had something to report."""


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


_DECODER = json.Decoder(Incidents)


def read_incidents(folder: DataFolder) -> Incidents:
    """Empty if the file is missing or damaged. Then open incidents are reported once more."""
    try:
        return _DECODER.decode(read_file(folder.incidents))
    except (OSError, MsgspecError, RecursionError):
        return Incidents()


def write_incidents(folder: DataFolder, incidents: Incidents) -> None:
    """Replaces the file, or raises `OSError` and keeps it."""
    folder.reports.mkdir(parents=True, exist_ok=True)
    replace_text(folder.incidents, json.format(json.encode(incidents), indent=1).decode())


def incidents_of(ending: NightEnding, measures: Sequence[GateMeasureRow], *, was_killed: str | None) -> list[Incident]:
    """Tonight's incidents, each as if it had begun tonight.

    `measures`: rows of the newest run of every host. `was_killed`: the id of an earlier night without an ending.
    """

    def incident(host: str, cause: str, kind: AlertOn, words: str) -> Incident:
        return Incident(host, cause, kind, words, ending.ended_at, ending.night_id)

    found = []
    for host in by_host(measures):
        if host.held:
            words = "; ".join(map(found_line, host.held))
            todo = "the next run asks again" if host.is_down else "'verdicts check' shows why"
            found.append(incident(host.host, "held", "held", f"{words}. Its rows stay as they were; {todo}"))
        alerts = host.plainest("alert", besides={row.measure for row in host.held})
        found += [incident(host.host, row.measure, "partial", found_line(row)) for row in alerts]
    if was_killed is not None:
        words = f"night {was_killed} left no ending: its process was killed, or the machine went down"
        found.append(incident("", "killed", "failed", words))
    if ending.status in {"failed", "refused"}:
        found.append(incident("", ending.status, "failed", ending.headline))
    if ending.status == "partial" or ending.in_part:
        found.append(incident("", "partial", "partial", ending.in_part or ending.headline))
    if ending.status == "held" and not any(item.cause == "held" for item in found):
        # An audit or a failed normalization holds the whole corpus.
        found.append(incident("", "held", "held", ending.headline))
    return found


def silent_hosts(measures: Iterable[GateMeasureRow]) -> frozenset[str]:
    """Hosts without any answer in their newest run."""
    return frozenset(
        row.host for row in measures if (row.measure, row.test) == ("answered", "night") and row.lost >= row.had
    )


def changes_of(
    before: Sequence[Incident],
    tonight: Sequence[Incident],
    ending: NightEnding,
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
    closed = [item for item in gone if item.host not in silent and _is_judged(item, ending)]
    wanted = [item for item in found if item.kind in alerts.on]
    return Changes(
        opened=tuple(item for item in wanted if item.reported_at is None),
        reminders=tuple(
            item
            for item in wanted
            if item.reported_at is not None and ending.ended_at - item.reported_at >= alerts.remind_after
        ),
        # The end of an unreported incident is not reported either.
        closed=tuple(item for item in closed if item.reported_at is not None),
        open=tuple(sorted((*found, *(item for item in gone if item not in closed)), key=lambda item: item.key)),
    )


def _is_judged(incident: Incident, ending: NightEnding) -> bool:
    """Whether tonight would have found the incident. Without a build, nothing is known about the pages."""
    if incident.host:
        return ending.load_id is not None
    return ending.status in {"done", "partial", "held"}
