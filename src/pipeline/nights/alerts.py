"""One message about the incidents that a night opened, still has, and closed. Another process delivers it."""

import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from msgspec.json import Decoder, encode

from verdicts.corpus.text import escaped
from verdicts.fetch.model.addresses import host_of
from verdicts.pipeline.nights.incidents import Changes, Incident, Undelivered
from verdicts.pipeline.nights.night_log import NightEnding
from verdicts.pipeline.nights.sending import SECONDS_MAX, Outgoing, Sent
from verdicts.pipeline.sources.config_sections import AlertsConfig

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
"""Seconds that the process may take to start on a busy machine."""

_SENT = Decoder(Sent)


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
    sent, why_not = _send([*outgoing.values()]) if outgoing else ({}, "")
    failed, taken = [], 0
    for number, name in enumerate(outgoing):
        outcome = sent.get(number, Sent(number, "", why_not))
        if outcome.why is not None:
            service = f" ({outcome.service})" if outcome.service else ""
            failed.append(Undelivered(f"{name}{service}", outcome.why, ending.night_id))
        else:
            taken += number < messages
    return taken, failed


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


def _send(outgoing: Sequence[Outgoing]) -> tuple[dict[int, Sent], str]:
    """The result for each number, and the reason if results are missing."""
    # -P keeps modules of the working folder out.
    call = [sys.executable, "-P", "-m", "verdicts.pipeline.nights.sending"]
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(call, stdin=pipe, stdout=pipe, stderr=pipe, process_group=0)  # noqa: S603  our own
    except OSError as error:
        return {}, f"the process that sends cannot be started: {error.strerror}"
    try:
        said, errors = process.communicate(encode(outgoing), timeout=START_S + SECONDS_MAX)
    except subprocess.TimeoutExpired:
        process.kill()
        said, errors = process.communicate()
    finally:
        process.kill()
        process.wait()
    sent = map(_SENT.decode, said.splitlines())
    last = errors.decode(errors="replace").strip().rpartition("\n")[2]
    is_late = process.returncode == -signal.SIGALRM
    why = f"it did not end within {SECONDS_MAX} s" if is_late else f"the process that sends ended early ({last})"
    return {each.number: each for each in sent}, why


def _shown(address: str) -> str:
    """Only the host: the rest is often secret."""
    return host_of(address) or address
