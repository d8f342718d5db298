"""Sends messages to addresses that may never answer: `alerts` calls `send_all` in a process of its own."""

import logging
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

import httpx
from msgspec import Struct

from verdicts.fetch.model.addresses import host_of
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.sources.config_sections import resolved, resolved_web_address

if TYPE_CHECKING:
    import apprise

RECEIVED_MAX = 65_536
"""Bytes accepted from an address over all its connections. An answer has a line or two."""

REDIRECTS_MAX = 5
"""Of the heartbeat only."""

SECONDS_MAX = 8
"""Seconds for all addresses together. Less than 10 s with the start, which loads about a hundred services."""

WHY_MAX = 300
"""Characters of a reason."""

_SECRET_MIN = 3
"""Parts of an address with fewer characters are not removed from messages, because they occur in other words."""


class Outgoing(Struct, frozen=True):
    """The message for one address: JSON `content` as a POST, `title` and `body` through Apprise, or a GET.

    `pages` are absolute paths of files to attach, if the service takes them.
    """

    address: str
    content: dict[str, Any] | None = None
    title: str = ""
    body: str | None = None
    pages: tuple[str, ...] = ()


class Sent(NamedTuple):
    """What came of a message. `why` is None if it was taken. `service` is Apprise's name."""

    service: str
    why: str | None


class _TooMuch(OSError):
    """An answer is longer than RECEIVED_MAX."""


def send_all(messages: Sequence[Outgoing]) -> list[Sent]:
    """What came of each message, after SECONDS_MAX at the latest. Threads that still wait end with the process."""
    senders = [*map(_sender, messages)]
    _limit_what_is_received()
    until = time.monotonic() + SECONDS_MAX
    sent = [Sent("", f"it did not end within {SECONDS_MAX} s")] * len(senders)
    threads = [threading.Thread(target=_send, args=(sent, *each), daemon=True) for each in enumerate(senders)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
    return [*sent]


def _sender(item: Outgoing) -> Callable[[], Sent]:
    try:
        address = (resolved_web_address if item.body is None else resolved)(item.address)
    except ConfigError as error:
        return partial(Sent, "", str(error))
    if item.body is None:
        return partial(_by_http, address, item.content)
    import apprise

    service = apprise.Apprise.instantiate(address)
    if service is None:
        return partial(Sent, "", "Apprise does not know this service")
    # Otherwise Apprise sends HTML mail, with a plain version in one line.
    service.notify_format = apprise.NotifyFormat.TEXT
    return partial(_by_apprise, service, address, item)


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


def _by_apprise(service: "apprise.NotifyBase", address: str, item: Outgoing) -> Sent:
    import apprise

    warnings = _warnings_of_this_thread()
    pages = list(item.pages) if service.attachment_support else []
    text = apprise.NotifyFormat.TEXT
    if service.notify(item.body, item.title, attach=pages or None, body_format=text):
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
    host = host_of(address) or ""
    behind = address.partition("://")[2]
    parts = {part for form in (behind, unquote(behind)) for part in re.split(r"[/:@?&=,;#+\s]+", form)}
    for part in sorted(parts, key=len, reverse=True):
        if len(part) >= _SECRET_MIN and part.lower() != host:
            why = why.replace(part, "…")
    return why[:WHY_MAX]


def _limit_what_is_received() -> None:
    """Limits received bytes in the methods that every library uses, because not every library has its own limit."""
    received = threading.local()

    def limited(method: Callable[..., int | bytes]) -> Callable[..., int | bytes]:
        def receive(*arguments: object) -> int | bytes:
            got = method(*arguments)
            received.bytes = getattr(received, "bytes", 0) + (got if isinstance(got, int) else len(got))
            if received.bytes > RECEIVED_MAX:
                raise _TooMuch(f"it answered with more than {RECEIVED_MAX // 1024} KiB")
            return got

        return receive

    for kind, names in ((socket.socket, ("recv", "recv_into")), (ssl.SSLSocket, ("read",))):
        for name in names:
            setattr(kind, name, limited(getattr(kind, name)))
