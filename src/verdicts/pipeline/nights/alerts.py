"""One message about the incidents that a night opened, still has, and closed, by Apprise; and the heartbeat."""

import logging
import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias
from urllib.parse import unquote

import httpx

from verdicts.corpus.text import escape_unstorable
from verdicts.fetch.model.addresses import split_address
from verdicts.pipeline.nights.incidents import Changes
from verdicts.pipeline.nights.record import NightRecord, Undelivered
from verdicts.pipeline.pipeline_errors import ConfigError
from verdicts.pipeline.sources.config_sections import AlertsConfig, resolve_secret, resolve_web_address

LINES_MAX = 20
"""Incidents of each sort in a message. The report has the others."""

SECONDS_MAX = 8
"""Seconds for all addresses together. Apprise waits 4 s for a connection and for each part of an answer, so a service
that answers byte by byte would never end; its thread ends with this process."""

WHY_MAX = 300
"""Characters of a reason."""

_SECRET_MIN = 3
"""Parts of an address with fewer characters are not removed from messages, because they occur in other words."""

Send: TypeAlias = Callable[[], str | None]
"""Sends to an address. Returns why it was not taken, or None. Raises `ConfigError`."""


@dataclass(frozen=True, slots=True)
class Message:
    """Plain text without characters that act on a terminal."""

    title: str
    body: str
    kind: str
    """Apprise's `success`, `warning`, `failure` or `info`, which many services show as a colour."""


def write_message(record: NightRecord, changes: Changes) -> Message:
    # The line of the host says why it is held.
    has_line = record.status == "held" and any(incident.host for incident in changes.open)
    headline = "readers have the rest" if has_line else escape_unstorable(record.headline)
    parts = [f"The night of {record.began_at:%Y-%m-%d %H:%M} UTC is {record.state.word}: {headline}"]
    titles = []
    groups = {"New": ("", changes.opened), "Still": ("still: ", changes.reminders), "Over": ("over: ", changes.closed)}
    for heading, (word, incidents) in groups.items():
        if incidents:
            lines = [f"{heading}:", *(f"- {incident.line}" for incident in incidents[:LINES_MAX])]
            if len(incidents) > LINES_MAX:
                lines.append(f"- and {len(incidents) - LINES_MAX:,} more")
            parts.append("\n".join(lines))
            more = f", and {len(incidents) - 1:,} more" if len(incidents) > 1 else ""
            titles.append(f"verdicts: {word}{incidents[0].subject}{more}")
    kinds = {incident.kind for incident in (*changes.opened, *changes.reminders)}
    kind = "failure" if "failed" in kinds else "warning" if kinds else "success"
    return Message(titles[0], "\n\n".join(parts), kind)


TEST = Message("verdicts: a test", "a test: nothing is wrong, and messages arrive", "info")


def deliver(
    alerts: AlertsConfig, message: Message | None, record: NightRecord, *, page: str | None = None, beats: bool
) -> tuple[int, list[Undelivered]]:
    """Sends a message, if any, to every address, with the HTML page of the report where the service takes a file.

    With `beats`, also calls the heartbeat address. Returns how many addresses took the message, and those that failed,
    each with the reason.
    """
    sends: dict[str, Send] = {}
    if message is not None:
        for number, address in enumerate(alerts.apprise, start=1):
            sends[f"apprise address {number}"] = partial(_notify, address, message, record, page)
    messages = len(sends)
    if beats and alerts.heartbeat is not None:
        parts = split_address(alerts.heartbeat)
        sends[f"heartbeat {alerts.heartbeat if parts is None else parts.host}"] = partial(
            _call_heartbeat, alerts.heartbeat
        )
    reasons = _send_all([*sends.values()])
    failed = [Undelivered(name, why, record.night_id) for name, why in zip(sends, reasons, strict=True) if why]
    return reasons[:messages].count(None), failed


def _send_all(sends: Sequence[Send]) -> list[str | None]:
    """Why each was not taken, or None, after SECONDS_MAX at the latest."""
    reasons: list[str | None] = [f"it did not end within {SECONDS_MAX} s"] * len(sends)

    def send(number: int) -> None:
        try:
            reasons[number] = sends[number]()
        except ConfigError as error:
            reasons[number] = str(error)
        except Exception as error:
            # Apprise raises any error, and its text may hold the address.
            reasons[number] = f"it could not be sent: {type(error).__name__}"

    until = time.monotonic() + SECONDS_MAX
    threads = [threading.Thread(target=send, args=(number,), daemon=True) for number in range(len(sends))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
    return [*reasons]


def _call_heartbeat(address: str) -> str | None:
    """A GET. The body of the answer is not read."""
    address = resolve_web_address(address)
    # A host that redirects and closes resets a second request on the same connection.
    limits = httpx.Limits(max_keepalive_connections=0)
    try:
        with (
            httpx.Client(timeout=SECONDS_MAX, follow_redirects=True, max_redirects=5, limits=limits) as client,
            client.stream("GET", address) as response,
        ):
            return None if response.is_success else f"it answered {response.status_code}"
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        return _remove_secrets(" ".join(str(error).split()) or type(error).__name__, address)


def _notify(address: str, message: Message, record: NightRecord, page: str | None) -> str | None:
    import apprise
    from apprise.attachment.memory import AttachMemory
    from apprise.logger import LogCapture

    address = resolve_secret(address)
    service = apprise.Apprise.instantiate(address)
    if service is None:
        return "Apprise does not know this service"
    # Otherwise Apprise sends HTML mail, with a plain version in one line.
    text = service.notify_format = apprise.NotifyFormat.TEXT
    attached = None
    if page is not None and service.attachment_support:
        attached = apprise.AppriseAttachment()
        attached.add(AttachMemory(page, name=f"{record.night_id}.html", mimetype="text/html"))  # type: ignore[no-untyped-call]
    kind = apprise.NotifyType(message.kind)
    # Apprise reports failures only in its log, to which all threads write.
    thread = f"{threading.get_ident()}: "
    with LogCapture(level=logging.WARNING, fmt="%(thread)d: %(message)s") as log:  # type: ignore[no-untyped-call]
        if service.notify(message.body, message.title, notify_type=kind, attach=attached, body_format=text):
            return None
        lines = [line.removeprefix(thread) for line in log.getvalue().splitlines() if line.startswith(thread)]
    why = _remove_secrets(lines[-1] if lines else "the service did not accept it", address)
    return f"{service.service_name}: {why}"


def _remove_secrets(why: str, address: str) -> str:
    """Removes all parts of the address except its host from the reason."""
    parts = split_address(address)
    host = "" if parts is None else parts.host
    behind = address.partition("://")[2]
    secrets = {part for form in (behind, unquote(behind)) for part in re.split(r"[/:@?&=,;#+\s]+", form)}
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _SECRET_MIN and secret.lower() != host:
            why = why.replace(secret, "…")
    return why[:WHY_MAX]
