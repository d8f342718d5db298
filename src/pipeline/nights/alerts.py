"""One message about the incidents that a night opened, still has, and closed. Another process delivers it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from verdicts.corpus.text import escaped
from verdicts.fetch.model.addresses import host_of
from verdicts.fetch.model.errors import StorageFailed
from verdicts.pipeline.nights.incidents import Changes, Incident, Undelivered
from verdicts.pipeline.nights.night_log import NightEnding
from verdicts.pipeline.nights.sending import SECONDS_MAX, Outgoing, Sent, send_all
from verdicts.pipeline.sources.config_sections import AlertsConfig
from verdicts.pipeline.workers.process import EndedEarly, done_apart

STATES = {
    "done": "fine",
    "partial": "partial",
    "held": "held back",
    "failed": "failed",
    "refused": "refused",
    "interrupted": "stopped",
}

LINES_MAX = 20
"""Incidents of each sort in a message. The report has the others."""

START_S = 60
"""Seconds that loading a hundred services may take on a busy machine."""


@dataclass(frozen=True, slots=True)
class Message:
    """Plain text without characters that act on a terminal."""

    title: str
    body: str


def message_of(ending: NightEnding, changes: Changes) -> Message:
    """The message about a night."""
    # The line of the host says why it is held.
    is_said = ending.status == "held" and any(incident.host for incident in changes.open)
    says = "readers have the rest" if is_said else escaped(ending.headline)
    parts = [f"The night of {ending.began_at:%Y-%m-%d %H:%M} UTC is {STATES[ending.status]}: {says}"]
    titles = []
    for heading, word, incidents in (
        ("New", "", changes.opened),
        ("Still", "still: ", changes.reminders),
        ("Over", "over: ", changes.closed),
    ):
        if incidents:
            parts.append("\n".join([f"{heading}:", *_lines(incidents)]))
            others = f", and {len(incidents) - 1:,} more" if len(incidents) > 1 else ""
            titles.append(f"verdicts: {word}{incidents[0].subject}{others}")
    return Message(titles[0], "\n\n".join(parts))


def test_of(at: datetime) -> tuple[NightEnding, Message]:
    """A test message, and an invented ending of a night for it."""
    words = "a test: nothing is wrong, and messages arrive"
    return NightEnding("test", at, at, "done", 0, words), Message("verdicts: a test", words)


def deliver(
    alerts: AlertsConfig,
    message: Message | None,
    ending: NightEnding,
    *,
    attached: Sequence[Path] = (),
    beats: bool,
) -> tuple[int, list[Undelivered]]:
    """Sends a message, if any, to every address. With `beats`, also calls the heartbeat address.

    Takes less than 10 s. Returns how many addresses took the message, and those that failed, each with the reason.
    """
    outgoing = {} if message is None else dict(_outgoing(alerts, message, ending, attached))
    messages = len(outgoing)
    if beats and alerts.heartbeat is not None:
        outgoing[f"heartbeat {_shown(alerts.heartbeat)}"] = Outgoing(alerts.heartbeat)
    if not outgoing:
        return 0, []
    try:
        sent = done_apart(send_all, [*outgoing.values()], within_s=START_S + SECONDS_MAX)
    except (EndedEarly, StorageFailed) as error:
        sent = [Sent("", f"the process that sends: {error}")] * len(outgoing)
    failed = [
        Undelivered(f"{name} ({each.service})" if each.service else name, each.why, ending.night_id)
        for name, each in zip(outgoing, sent, strict=True)
        if each.why is not None
    ]
    return sum(each.why is None for each in sent[:messages]), failed


def _lines(incidents: Sequence[Incident]) -> Iterator[str]:
    yield from (f"- {incident.line}" for incident in incidents[:LINES_MAX])
    if len(incidents) > LINES_MAX:
        yield f"- and {len(incidents) - LINES_MAX:,} more"


def _outgoing(
    alerts: AlertsConfig, message: Message, ending: NightEnding, attached: Sequence[Path]
) -> Iterator[tuple[str, Outgoing]]:
    if alerts.webhook is not None:
        content = {
            "title": message.title,
            "body": message.body,
            "status": ending.status,
            "exit_code": ending.exit_code,
            "night_id": ending.night_id,
            "crawl_id": ending.crawl_id,
            "load_id": ending.load_id,
            "published": ending.published,
            "report": next((path.read_text(encoding="utf-8") for path in attached if path.suffix == ".md"), None),
        }
        yield f"webhook {_shown(alerts.webhook)}", Outgoing(alerts.webhook, content)
    # Only the HTML, and not every service takes a file.
    pages = tuple(str(path.absolute()) for path in attached if path.suffix == ".html")
    for number, address in enumerate(alerts.apprise, start=1):
        yield f"apprise address {number}", Outgoing(address, title=message.title, body=message.body, pages=pages)


def _shown(address: str) -> str:
    """Only the host: the rest is often secret."""
    return host_of(address) or address
