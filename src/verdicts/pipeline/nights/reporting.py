"""Records and reports how a night ended. A failure to do so costs one line on standard error."""

import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.corpus.text import escaped
from verdicts.fetch.model.errors import FetchError, StoreLocked
from verdicts.fetch.model.snapshot import new_run_id
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.exit_codes import DONE, HELD_BACK, PARTIAL, USAGE, exit_code, message
from verdicts.pipeline.logs import ids, log_to, note
from verdicts.pipeline.nights.incidents import Changes, compare_incidents, find_incidents, find_silent_hosts
from verdicts.pipeline.nights.record import (
    CareLine,
    NightCrawl,
    NightRecord,
    NightStatus,
    find_latest,
    read_nights,
    write_record,
)
from verdicts.pipeline.progress import say, step_seconds
from verdicts.pipeline.sources.config import DEMO, Config, load_config, salvage_alerts

T = TypeVar("T")


@dataclass(slots=True)
class NightProgress:
    """How far a night has come, and how it ended. The night fills it in."""

    begin: Callable[[], None]
    """Called when the data folder is locked."""
    status: NightStatus = "done"
    headline: str = ""
    """The night in one line."""
    in_part: str = ""
    """What is missing of a published night, and why."""
    crawl_id: str | None = None
    crawl: NightCrawl | None = None
    load_id: str | None = None
    gates: Sequence[GateMeasureRow] = ()
    """The rows of each host's newest run, once a build has judged tonight's."""
    published: str | None = None
    """The name of the copy that it published."""

    @property
    def result(self) -> tuple[str, str]:
        """Its status and its headline."""
        return self.status, self.headline


@contextmanager
def reported(folder: DataFolder, config: Config) -> Iterator[NightProgress]:
    """Records the beginning and end of the night in the body, and reports the end. Passes on what the body raises.

    `StoreLocked` is not reported here, because a run that waits for the lock would report it at every attempt.
    """
    night = _begin(folder)
    progress = NightProgress(begin=lambda: _try("the record of the night", lambda: write_record(folder, night)))
    ids.night_id = night.night_id
    log_to(folder, "run")
    step_seconds.clear()
    try:
        yield progress
    except StoreLocked:
        raise
    except BaseException as error:
        report_night(folder, config, _end(night, error), progress)
        raise
    code = DONE if progress.status == "done" else PARTIAL
    ended = replace(night, status=progress.status, exit_code=code, headline=progress.headline)
    report_night(folder, config, ended, progress)


def load_night_config(folder: DataFolder, named: Path | None) -> Config:
    """The config of a night. A mistake in it is reported as a failed night, to the addresses that are valid.

    Raises `ConfigError`.
    """
    try:
        return load_config(named, for_night=True)
    except ConfigError as error:
        report_unbegun(folder, DEMO.model_copy(update={"alerts": salvage_alerts(named)}), error)
        raise


def report_unbegun(folder: DataFolder, config: Config, error: BaseException) -> None:
    """Reports a night that began nothing: another run holds the data folder, or the config has a mistake."""
    report_night(folder, config, _end(_begin(folder), error))


def _begin(folder: DataFolder) -> NightRecord:
    """A night that begins now. Its id is the newest, whatever the clock says."""
    began_at, newest = steps.now(), next(iter(read_nights(folder, 1)), None)
    return NightRecord(new_run_id(began_at, after=None if newest is None else newest.night_id), began_at)


def _end(night: NightRecord, error: BaseException) -> NightRecord:
    """The night that raised, with its status, exit code and headline."""
    code = exit_code(error)
    if code is None and not isinstance(error, Exception):
        words = "stopped; what was finished is kept, and the next run goes on"
        return replace(night, status="interrupted", headline=words)
    if code is None:
        bug = f"a bug, {type(error).__name__}: {message(error)}; its traceback is in the output of the run"
        return replace(night, status="failed", exit_code=USAGE, headline=bug)
    status: NightStatus = "refused" if isinstance(error, StoreLocked) else "held" if code == HELD_BACK else "failed"
    return replace(night, status=status, exit_code=code, headline=message(error))


def report_night(folder: DataFolder, config: Config, night: NightRecord, progress: NightProgress | None = None) -> None:
    """Completes the record of a night that ended, writes it, and reports it. Raises nothing.

    A night that failed before there was a data folder creates none.
    """
    if not folder.is_one():
        return
    at = steps.now()
    earlier = [other for other in read_nights(folder) if other.night_id != night.night_id]
    before = find_latest(earlier)
    record = replace(
        night,
        ended_at=at,
        headline=escaped(night.headline),
        step_seconds=dict(step_seconds),
        number=1 if before is None else before.number + 1,
        incidents=() if before is None else before.incidents,
        undelivered=() if before is None else before.undelivered,
    )
    measures = () if progress is None else progress.gates
    if progress is not None:
        record = replace(
            record,
            in_part=escaped(progress.in_part),
            crawl_id=progress.crawl_id,
            load_id=progress.load_id,
            published=progress.published,
        )
    record = _try("the record of the night", lambda: _complete(folder, config, record, progress)) or record
    note("night", record.headline, status=record.status, exit_code=record.exit_code, published=record.published)
    changes = None
    # An interrupted command has only seconds left, and its user knows why.
    if record.status != "interrupted":
        # While another night runs, it has no ending yet.
        killed = None if progress is None else _killed_before(earlier)
        tonight = find_incidents(record, at, measures, was_killed=killed)
        silent = find_silent_hosts(measures)
        changes = compare_incidents(record.incidents, tonight, record, at, config.alerts, silent=silent)
        record = replace(record, incidents=changes.open)
    _try("the record of the night", lambda: write_record(folder, record))
    if changes is None:
        return
    # Comes even if the disk is full.
    told = _try("the alerts", lambda: _alert(config, record, earlier, changes))
    if told is not None and told != record:
        record = told
        _try("the record of the night", lambda: write_record(folder, record))
    _try("the metrics", lambda: _write_metrics(folder, config, record, earlier))


def _killed_before(earlier: Sequence[NightRecord]) -> str | None:
    """The night before, if it left no ending."""
    last = next((night for night in earlier if night.status != "refused"), None)
    return last.night_id if last is not None and last.ended_at is None else None


def _complete(folder: DataFolder, config: Config, record: NightRecord, progress: NightProgress | None) -> NightRecord:
    """The record with its parts. Those that cannot be read are a sentence."""
    from verdicts.pipeline.nights import recording
    from verdicts.pipeline.nights.corpus_changes import compare_copies

    disk, disk_line = recording.record_disk(folder.root, config.care)
    record = replace(record, disk=disk, care=(disk_line,))
    if progress is None:
        return record
    if progress.crawl is not None:
        record = replace(record, crawl=recording.add_losses(progress.crawl, progress.gates, record.crawl_id))
    if record.published is not None:
        record = replace(record, corpus=compare_copies(folder, record.published))
    try:
        with open_store(folder.root, command="report", read_only=True) as store:
            verified = recording.record_verification(store, record.began_at)
            gates = recording.record_gates(store, progress.gates) if record.load_id is not None else record.gates
    except FetchError as unreadable:
        broken = CareLine("State", escaped(str(unreadable)), is_wrong=True)
        return replace(record, care=(broken, *record.care))
    return replace(record, gates=gates, care=(verified, *record.care))


def _write_metrics(folder: DataFolder, config: Config, record: NightRecord, earlier: Sequence[NightRecord]) -> None:
    from verdicts.pipeline.nights.metrics import write_metrics

    write_metrics(config.metrics.file or folder.metrics, record, earlier)


def _alert(config: Config, record: NightRecord, earlier: Sequence[NightRecord], changes: Changes) -> NightRecord:
    """Sends the message, if there is something to report, and the heartbeat.

    Returns the record with the addresses that failed. If all failed, the next night reports again.
    """
    from verdicts.pipeline.nights.alerts import deliver, write_message
    from verdicts.pipeline.nights.report import render_report

    alerts = config.alerts
    message = page = None
    if changes and alerts.apprise:
        message = write_message(record, changes)
        page = (
            None if record.status == "refused" else _try("the report", lambda: render_report(record, earlier)[".html"])
        )
    sent, failed = deliver(alerts, message, record, page=page, beats=record.published is not None)
    for item in failed:
        say(f"{item.address} could not be reached: {item.why}")
    # Nothing was sent, so the earlier failures are still the newest.
    missed = record.undelivered if message is None else ()
    heard = changes.reported(record.ended_at or record.began_at) if sent else changes.open
    return replace(record, incidents=heard, undelivered=(*missed, *failed))


def _try(what: str, action: Callable[[], T]) -> T | None:
    """Runs the action. On failure prints a line and returns None."""
    try:
        return action()
    except BaseException as error:
        if exit_code(error) is None and not isinstance(error, Exception):
            raise
        if exit_code(error) is None:
            say(f"{what}: a bug; the night is not touched by it")
            traceback.print_exc()
        else:
            say(f"{what}: {message(error)}")
    return None
