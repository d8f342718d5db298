"""One message about the incidents that a night opened, still has, and closed."""

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from urllib.parse import unquote

import httpx

from verdicts.corpus.text import escaped
from verdicts.fetch.model.addresses import web_address
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.nights.incidents import Changes, Incident, Undelivered
from verdicts.pipeline.nights.night_log import NightEnding
from verdicts.pipeline.sources.config_sections import AlertsConfig, resolved, resolved_web_address

if TYPE_CHECKING:
    import apprise


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

REDIRECTS_MAX = 5
"""Of the heartbeat only."""

SECONDS_MAX = 8
"""Seconds for all addresses together."""

WHY_MAX = 300
"""Characters of a reason."""

_SECRET_MIN = 3
"""Parts of an address with fewer characters are not removed from messages, because they occur in other words."""


class Sent(NamedTuple):
    """The result of a message. `why` is None if it was taken. `service` is Apprise's name."""

    service: str
    why: str | None


Sender: TypeAlias = Callable[[], Sent]
"""Sends a message to an address."""


@dataclass(frozen=True, slots=True)
class Message:
    """Plain text without characters that act on a terminal."""

    title: str
    body: str


def message_of(ending: NightEnding, changes: Changes) -> Message:
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

    Returns how many addresses took the message, and those that failed, each with the reason.
    """
    senders = {} if message is None else dict(_senders(alerts, message, ending, attached))
    messages = len(senders)
    if beats and alerts.heartbeat is not None:
        senders[f"heartbeat {_shown(alerts.heartbeat)}"] = _http_sender(alerts.heartbeat)
    sent = _send_all([*senders.values()])
    failed = [
        Undelivered(f"{name} ({each.service})" if each.service else name, each.why, ending.night_id)
        for name, each in zip(senders, sent, strict=True)
        if each.why is not None
    ]
    return sum(each.why is None for each in sent[:messages]), failed


def _lines(incidents: Sequence[Incident]) -> Iterator[str]:
    yield from (f"- {incident.line}" for incident in incidents[:LINES_MAX])
    if len(incidents) > LINES_MAX:
        yield f"- and {len(incidents) - LINES_MAX:,} more"


def _senders(
    alerts: AlertsConfig, message: Message, ending: NightEnding, attached: Sequence[Path]
) -> Iterator[tuple[str, Sender]]:
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
        yield f"webhook {_shown(alerts.webhook)}", _http_sender(alerts.webhook, content)
    # Only the HTML, and not every service takes a file.
    pages = [str(path.absolute()) for path in attached if path.suffix == ".html"]
    for number, address in enumerate(alerts.apprise, start=1):
        yield f"apprise address {number}", _apprise_sender(address, message, pages)


def _shown(address: str) -> str:
    """Only the host: the rest is often secret."""
    return _host(address) or address


def _host(address: str) -> str:
    parts = web_address(address)
    return "" if parts is None else parts.host


def _send_all(senders: Sequence[Sender]) -> list[Sent]:
    """The result of each sender, after SECONDS_MAX at the latest. Threads that still wait end with this process."""
    until = time.monotonic() + SECONDS_MAX
    sent = [Sent("", f"it did not end within {SECONDS_MAX} s")] * len(senders)
    threads = [threading.Thread(target=_send, args=(sent, *each), daemon=True) for each in enumerate(senders)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
    return [*sent]


def _http_sender(address: str, content: dict[str, Any] | None = None) -> Sender:
    """A POST of the content, or a GET without it."""
    try:
        return partial(_by_http, resolved_web_address(address), content)
    except ConfigError as error:
        return partial(Sent, "", str(error))


def _apprise_sender(address: str, message: Message, pages: Sequence[str]) -> Sender:
    """`pages` are files to attach, if the service takes them."""
    try:
        address = resolved(address)
    except ConfigError as error:
        return partial(Sent, "", str(error))
    import apprise

    service = apprise.Apprise.instantiate(address)
    if service is None:
        return partial(Sent, "", "Apprise does not know this service")
    # Otherwise Apprise sends HTML mail, with a plain version in one line.
    service.notify_format = apprise.NotifyFormat.TEXT
    return partial(_by_apprise, service, address, message, pages)


def _send(sent: list[Sent], number: int, send: Callable[[], Sent]) -> None:
    try:
        sent[number] = send()
    except Exception as error:
        # Apprise raises any error, and its text may hold the address.
        sent[number] = Sent("", f"it could not be sent: {type(error).__name__}")


def _by_http(address: str, content: dict[str, Any] | None) -> Sent:
    try:
        with httpx.Client(timeout=None) as client:  # noqa: S113  SECONDS_MAX ends it
            if content is not None:
                why = _answer_of(client, client.build_request("POST", address, json=content), redirects=0)
            else:
                why = _answer_of(client, client.build_request("GET", address), redirects=REDIRECTS_MAX)
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        return Sent("", _without_secrets(" ".join(str(error).split()) or type(error).__name__, address))
    return Sent("", why)


def _answer_of(client: httpx.Client, request: httpx.Request, *, redirects: int) -> str | None:
    """None for success, else the reason. Does not read the body, and follows a few redirects."""
    for _ in range(redirects + 1):
        response = client.send(request, stream=True)
        response.close()
        if response.next_request is None or not redirects:
            return None if response.is_success else f"it answered {response.status_code}"
        request = response.next_request
    return f"it redirects more than {redirects} times"


def _by_apprise(service: "apprise.NotifyBase", address: str, message: Message, pages: Sequence[str]) -> Sent:
    import apprise

    warnings = _warnings_of_this_thread()
    attached = [*pages] if service.attachment_support else []
    text = apprise.NotifyFormat.TEXT
    if service.notify(message.body, message.title, attach=attached or None, body_format=text):
        return Sent(str(service.service_name), None)
    why = warnings[-1] if warnings else "the service did not accept it"
    return Sent(str(service.service_name), _without_secrets(why, address))


def _warnings_of_this_thread() -> Sequence[str]:
    """Apprise reports failures only in its log."""
    warnings: list[str] = []
    own = threading.get_ident()

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.thread == own:
                warnings.append(record.getMessage())

    logging.getLogger("apprise").addHandler(Keeping(logging.WARNING))
    return warnings


def _without_secrets(why: str, address: str) -> str:
    """Removes all parts of the address except its host from the reason."""
    host = _host(address)
    behind = address.partition("://")[2]
    parts = {part for form in (behind, unquote(behind)) for part in re.split(r"[/:@?&=,;#+\s]+", form)}
    for part in sorted(parts, key=len, reverse=True):
        if len(part) >= _SECRET_MIN and part.lower() != host:
            why = why.replace(part, "…")
    return why[:WHY_MAX]
