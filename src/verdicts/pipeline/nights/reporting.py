"""Records and reports how a night ended. A failure to do so costs one line on standard error."""

import shutil
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from verdicts.corpus.rows.runs import CrawlRow
from verdicts.corpus.text import escape_unstorable
from verdicts.fetch.model.fetch_errors import StoreLocked
from verdicts.fetch.model.snapshot import new_run_id
from verdicts.fetch.run.endings import CrawlReasons
from verdicts.fetch.run.why import explain_host
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.exit_codes import DONE, HELD_BACK, PARTIAL, USAGE, describe_error, find_exit_code
from verdicts.pipeline.logs import ids, log_to, note
from verdicts.pipeline.nights.incidents import Changes, compare_incidents, find_incidents
from verdicts.pipeline.nights.record import (
    NightCrawl,
    NightHost,
    NightRecord,
    find_latest,
    read_nights,
    write_record,
)
from verdicts.pipeline.pipeline_errors import ConfigError
from verdicts.pipeline.progress import say, step_seconds
from verdicts.pipeline.sources.config import DEMO, Config, load_config, salvage_alerts

T = TypeVar("T")


@contextmanager
def record_night(folder: DataFolder, config: Config) -> Iterator[NightRecord]:
    """Records the night in the body, which fills it in, and reports its end. Passes on what the body raises.

    `StoreLocked` is not reported here, because a run that waits for the lock would report it at every attempt.
    """
    night = _make_record(folder)
    ids.night_id = night.night_id
    log_to(folder, "run")
    step_seconds.clear()
    try:
        yield night
    except StoreLocked:
        raise
    except BaseException as error:
        _note_error(night, error)
        report_night(folder, config, night)
        raise
    night.status = night.status or "done"
    night.exit_code = DONE if night.status == "done" else PARTIAL
    report_night(folder, config, night)


def save_record(folder: DataFolder, night: NightRecord) -> None:
    """Writes the record. A night writes it first when it holds the data folder: without an ending it was killed."""
    _try_action("the record of the night", lambda: write_record(folder, night))


def load_night_config(folder: DataFolder, path: Path | None) -> Config:
    """The config of a night. A mistake in it is reported as a failed night, to the addresses that are valid.

    Raises `ConfigError`.
    """
    try:
        return load_config(path, for_night=True)
    except ConfigError as error:
        report_unbegun(folder, DEMO.model_copy(update={"alerts": salvage_alerts(path)}), error)
        raise


def report_unbegun(folder: DataFolder, config: Config, error: BaseException) -> None:
    """Reports a night that began nothing: another run holds the data folder, or the config has a mistake."""
    night = _make_record(folder)
    _note_error(night, error)
    report_night(folder, config, night, is_begun=False)


def _make_record(folder: DataFolder) -> NightRecord:
    """A night that begins now. Its id is the newest, whatever the clock says."""
    began_at, newest = steps.now(), next(iter(read_nights(folder, 1)), None)
    return NightRecord(new_run_id(began_at, after=None if newest is None else newest.night_id), began_at)


def _note_error(night: NightRecord, error: BaseException) -> None:
    code = find_exit_code(error)
    if code is not None:
        night.status = "refused" if isinstance(error, StoreLocked) else "held" if code == HELD_BACK else "failed"
        night.exit_code, night.headline = code, describe_error(error)
    elif isinstance(error, Exception):
        night.status, night.exit_code = "failed", USAGE
        night.headline = (
            f"a bug, {type(error).__name__}: {describe_error(error)}; its traceback is in the output of the run"
        )
    else:
        night.status, night.headline = "interrupted", "stopped; what was finished is kept, and the next run goes on"


def record_crawl(crawl: CrawlRow, reasons: CrawlReasons) -> NightCrawl:
    hosts = []
    for host in reasons.hosts:
        endings = {ending.ending: ending.addresses for ending in host.endings}
        line = explain_host(host)
        hosts.append(NightHost(host.host, endings, None if line is None else line.removeprefix(f"{host.host}: ")))
    hosts.sort(key=lambda host: (host.count_answered() > 0, host.why is None, -host.count_failed(), host.host))
    return NightCrawl(crawl.fetched, crawl.unchanged, crawl.failed, crawl.bytes, tuple(hosts))


def report_night(folder: DataFolder, config: Config, night: NightRecord, *, is_begun: bool = True) -> None:
    """Completes the record of a night that ended, writes it, and reports it. Raises nothing.

    A night that failed before there was a data folder creates none.
    """
    if not folder.is_one():
        return
    at = night.ended_at = steps.now()
    earlier = [record for record in read_nights(folder) if record.night_id != night.night_id]
    before = find_latest(earlier)
    if before is not None:
        night.number, night.incidents, night.undelivered = before.number, before.incidents, before.undelivered
    night.number += 1
    night.headline, night.in_part = escape_unstorable(night.headline), escape_unstorable(night.in_part)
    night.step_seconds = dict(step_seconds)
    with suppress(OSError):
        usage = shutil.disk_usage(folder.root)
        night.disk = usage.free, usage.total
    if night.published is not None and (folder.serve / night.published).is_file():
        from verdicts.pipeline.nights.corpus_changes import compare_copies

        published = night.published
        night.corpus = _try_action("what changed for readers", lambda: compare_copies(folder.serve, published))
    note("night", night.headline, status=night.status, exit_code=night.exit_code, published=night.published)
    changes = None
    # An interrupted command has only seconds left, and its user knows why.
    if night.status != "interrupted":
        # While another night runs, it has no ending yet.
        last = next((record for record in earlier if record.status != "refused"), None) if is_begun else None
        killed = None if last is None or last.ended_at is not None else last.night_id
        tonight = find_incidents(night, at, killed=killed)
        changes = compare_incidents(night.incidents, tonight, night, at, config.alerts)
        night.incidents = changes.open
    save_record(folder, night)
    if changes is None:
        return
    # Comes even if the disk is full.
    if _try_action("the alerts", lambda: _send_alert(config, night, earlier, changes)):
        save_record(folder, night)
    from verdicts.pipeline.nights.metrics import write_metrics

    _try_action("the metrics", lambda: write_metrics(config.metrics.file or folder.metrics, [night, *earlier]))


def _send_alert(config: Config, night: NightRecord, earlier: Sequence[NightRecord], changes: Changes) -> bool:
    """Sends the message, if there is something to report, and the heartbeat. Returns whether that is in the record.

    If all addresses failed, the next night reports again.
    """
    alerts = config.alerts
    if not alerts.apprise and alerts.heartbeat is None:
        return False
    from verdicts.pipeline.nights.alerts import deliver, write_message

    alert = page = None
    if changes and alerts.apprise:
        from verdicts.pipeline.nights.report import render_report

        alert = write_message(night, changes)
        if night.status != "refused":
            page = _try_action("the report", lambda: render_report(night, earlier)[".html"])
    sent, failed = deliver(alerts, alert, night, page=page, beats=night.published is not None)
    for item in failed:
        say(f"{item.address} could not be reached: {item.why}")
    before = night.incidents, night.undelivered
    if sent:
        night.incidents = changes.note_report(night.ended_at or night.began_at)
    # Nothing was sent, so the earlier failures are still the newest.
    night.undelivered = (*(night.undelivered if alert is None else ()), *failed)
    return before != (night.incidents, night.undelivered)


def _try_action(what: str, action: Callable[[], T]) -> T | None:
    """Runs the action. On failure prints a line and returns None."""
    try:
        return action()
    except BaseException as error:
        if find_exit_code(error) is not None:
            say(f"{what}: {describe_error(error)}")
        elif isinstance(error, Exception):
            say(f"{what}: a bug; the night is not touched by it")
            traceback.print_exc()
        else:
            raise
    return None
