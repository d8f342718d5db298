"""Messages on their way: a webhook, whatever Apprise knows, and the heartbeat. Another process sends them."""

import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.json import Decoder, encode

from verdicts.fetch.model.addresses import host_of
from verdicts.pipeline.nights.ending import NightEnding
from verdicts.pipeline.nights.incident_file import Undelivered
from verdicts.pipeline.nights.messages import Message
from verdicts.pipeline.nights.sending import SECONDS_MAX, Parcel, Sent
from verdicts.pipeline.sources.config_sections import AlertsConfig

START_S = 60
"""Seconds that the process may take to start, on a busy machine."""

_SENT = Decoder(Sent)


def deliver(
    alerts: AlertsConfig,
    message: Message | None,
    ending: NightEnding,
    *,
    attached: Sequence[Path] = (),
    beats: bool,
) -> tuple[int, list[Undelivered]]:
    """Sends a message, where there is one, to every address; where it `beats`, the heartbeat address is called, too.

    Ends within 10 s; the night holds nothing meanwhile. Returns how many took the message, and the addresses that were
    not reached, each with why.
    """
    parcels = {} if message is None else dict(_parcels(alerts, message, ending, attached))
    messages = len(parcels)
    if beats and alerts.heartbeat is not None:
        parcels[f"heartbeat {_shown(alerts.heartbeat)}"] = Parcel(alerts.heartbeat)
    sent, why_not = _sent([*parcels.values()]) if parcels else ({}, "")
    failed, taken = [], 0
    for number, name in enumerate(parcels):
        outcome = sent.get(number, Sent(number, "", why_not))
        if outcome.why is not None:
            service = f" ({outcome.service})" if outcome.service else ""
            failed.append(Undelivered(f"{name}{service}", outcome.why, ending.night_id))
        else:
            taken += number < messages
    return taken, failed


def _parcels(
    alerts: AlertsConfig, message: Message, ending: NightEnding, attached: Sequence[Path]
) -> Iterator[tuple[str, Parcel]]:
    """The parcels of a message, each with what its address is called."""
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
        yield f"webhook {_shown(alerts.webhook)}", Parcel(alerts.webhook, content)
    # The HTML alone; not every service takes a file.
    pages = tuple(str(path.absolute()) for path in attached if path.suffix == ".html")
    for number, address in enumerate(alerts.apprise, start=1):
        yield f"apprise address {number}", Parcel(address, title=message.title, body=message.body, pages=pages)


def _sent(parcels: Sequence[Parcel]) -> tuple[dict[int, Sent], str]:
    """What became of the parcels, by their place, and why nothing is known of the others."""
    # -P: a folder called `pipeline` in the working folder is not ours.
    call = [sys.executable, "-P", "-m", "verdicts.pipeline.nights.sending"]
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(call, stdin=pipe, stdout=pipe, stderr=pipe, process_group=0)  # noqa: S603  our own
    except OSError as error:
        return {}, f"the process that sends cannot be started: {error.strerror}"
    try:
        said, errors = process.communicate(encode(parcels), timeout=START_S + SECONDS_MAX)
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
    """Host alone: what follows it is often the secret."""
    return host_of(address) or address
