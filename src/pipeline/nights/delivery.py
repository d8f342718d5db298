"""Messages on their way: a webhook, whatever Apprise knows, and the heartbeat. Network."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

from fetch.model.addresses.web_address import host_of
from pipeline.errors import ConfigError
from pipeline.nights.ending import NightEnding
from pipeline.nights.incident_file import Undelivered
from pipeline.nights.messages import Message
from pipeline.sources.alerts_config import AlertsConfig, resolved, resolved_web_address

TIMEOUT_S = 10.0
"""For an address to answer: the night waits for it, and holds nothing meanwhile."""


def deliver(
    alerts: AlertsConfig, message: Message, ending: NightEnding, *, attached: Sequence[Path] = ()
) -> tuple[int, list[Undelivered]]:
    """Sends a message to every address. Returns how many took it, and those that did not, each with why."""
    failed: list[Undelivered] = []
    sent = 0
    if alerts.webhook is not None:
        why = _refused_by_webhook(alerts.webhook, message, ending, attached)
        sent += why is None
        failed += [] if why is None else [Undelivered(f"webhook {_shown(alerts.webhook)}", why, ending.night_id)]
    for number, address in enumerate(alerts.apprise, start=1):
        name, why = _refused_by_apprise(address, message, attached)
        sent += why is None
        failed += [] if why is None else [Undelivered(f"apprise address {number}{name}", why, ending.night_id)]
    return sent, failed


def beat(alerts: AlertsConfig, ending: NightEnding) -> Undelivered | None:
    """Tells the heartbeat address that readers have a night. Returns what went wrong."""
    if alerts.heartbeat is None:
        return None
    try:
        _check(httpx.get(resolved_web_address(alerts.heartbeat), timeout=TIMEOUT_S, follow_redirects=True))
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError, ConfigError) as error:
        # It may lead on to `http://xn--a/`, which no codec reads.
        return Undelivered(f"heartbeat {_shown(alerts.heartbeat)}", _in_words(error), ending.night_id)
    return None


def _refused_by_webhook(address: str, message: Message, ending: NightEnding, attached: Sequence[Path]) -> str | None:
    content = {
        "title": message.title,
        "body": message.body,
        "status": ending.status,
        "exit_code": ending.exit_code,
        "night_id": ending.night_id,
        "crawl_id": ending.crawl_id,
        "load_id": ending.load_id,
        "published": ending.published,
        "report": _markdown(attached),
    }
    try:
        _check(httpx.post(resolved_web_address(address), json=content, timeout=TIMEOUT_S))
    except (httpx.HTTPError, httpx.InvalidURL, ConfigError) as error:
        return _in_words(error)
    return None


def _markdown(attached: Sequence[Path]) -> str | None:
    return next((path.read_text(encoding="utf-8") for path in attached if path.suffix == ".md"), None)


def _refused_by_apprise(address: str, message: Message, attached: Sequence[Path]) -> tuple[str, str | None]:
    """What to call the address, and what went wrong. Attachments are the HTML alone; not every service takes one."""
    import apprise

    try:
        service = apprise.Apprise.instantiate(resolved(address))
    except ConfigError as error:
        return "", str(error)
    if service is None:
        return "", "Apprise does not know it"
    name = f" ({service.service_name})"
    pages = [str(path) for path in attached if path.suffix == ".html"] if service.attachment_support else []
    with _warnings_of_apprise() as warnings:
        # Mail is HTML else, and its plain twin is one line.
        service.notify_format = text = apprise.NotifyFormat.TEXT
        is_sent = bool(service.notify(message.body, message.title, attach=pages or None, body_format=text))
    return name, None if is_sent else (warnings[-1] if warnings else "it was not taken")


@contextmanager
def _warnings_of_apprise() -> Iterator[list[str]]:
    """What went wrong is in Apprise's log alone."""
    warnings: list[str] = []

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            warnings.append(record.getMessage())

    logger, handler = logging.getLogger("apprise"), Keeping(logging.WARNING)
    before = logger.propagate
    logger.addHandler(handler)
    logger.propagate = False
    try:
        yield warnings
    finally:
        logger.removeHandler(handler)
        logger.propagate = before


def _check(answer: httpx.Response) -> None:
    if not answer.is_success:
        raise httpx.HTTPStatusError(f"it answered {answer.status_code}", request=answer.request, response=answer)


def _in_words(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _shown(address: str) -> str:
    """Host alone: what follows it is often the secret."""
    return host_of(address) or address
