"""Logs and reports how a night ended. A failure to report costs one line on standard error."""

import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.fetch.model.errors import FetchError, StoreLocked
from verdicts.fetch.model.snapshot import new_run_id
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.exit_codes import DONE, PARTIAL, exit_code, message
from verdicts.pipeline.logs import ids, log_to, note
from verdicts.pipeline.nights.incidents import (
    Changes,
    Incidents,
    changes_of,
    incidents_of,
    read_incidents,
    silent_hosts,
    write_incidents,
)
from verdicts.pipeline.nights.night_log import (
    NightEnding,
    NightProgress,
    NightStatus,
    failure_of,
    logged_nights,
    note_beginning,
    note_ending,
)
from verdicts.pipeline.progress import say, step_seconds
from verdicts.pipeline.sources.config import DEMO, Config, load_config, salvage_alerts

T = TypeVar("T")


@contextmanager
def reported(folder: DataFolder, config: Config) -> Iterator[NightProgress]:
    """Logs the beginning and end of the night in the body, and reports the end. Passes on what the body raises.

    `StoreLocked` is not reported here, because a run that waits for the lock would report it at every attempt.
    """
    began_at = steps.now()
    newest = next(iter(logged_nights(folder, 1)), None)
    night_id = new_run_id(began_at, after=None if newest is None else newest.night_id)
    progress = NightProgress(
        begin=lambda: _try("the log of nights", lambda: note_beginning(folder, night_id, began_at))
    )
    ids.night_id = night_id
    log_to(folder, "run")
    step_seconds.clear()

    def end(status: NightStatus, code: int | None, headline: str) -> None:
        parts = (progress.crawl_id, progress.load_id, progress.published, progress.in_part)
        report_ending(folder, config, NightEnding(night_id, began_at, steps.now(), status, code, headline, *parts))

    try:
        yield progress
    except StoreLocked:
        raise
    except BaseException as error:
        end(*failure_of(error))
        raise
    end(progress.status, DONE if progress.status == "done" else PARTIAL, progress.headline)


def load_night_config(folder: DataFolder, named: Path | None) -> Config:
    """The config of a night. A mistake in it is reported as a failed night, to the addresses that are valid.

    Raises `ConfigError`.
    """
    try:
        return load_config(named, for_night=True)
    except ConfigError as error:
        moment = steps.now()
        config = DEMO.model_copy(update={"alerts": salvage_alerts(named)})
        report_ending(folder, config, NightEnding(new_run_id(moment), moment, moment, *failure_of(error)))
        raise


def report_refusal(folder: DataFolder, config: Config, error: StoreLocked) -> None:
    """Reports a night that began nothing, because another run holds the data folder."""
    moment = steps.now()
    report_ending(folder, config, NightEnding(new_run_id(moment), moment, moment, *failure_of(error)))


def report_ending(folder: DataFolder, config: Config, ending: NightEnding) -> None:
    """Logs an ending and reports it. Raises nothing.

    A night that failed before there was a data folder creates none.
    """
    if not folder.is_one():
        return
    before = next((night for night in logged_nights(folder) if night.night_id < ending.night_id), None)
    note("night", ending.headline, status=ending.status, exit_code=ending.exit_code, published=ending.published)
    _try("the log of nights", lambda: note_ending(folder, ending))
    # An interrupted command has only seconds left, and its user knows why.
    if ending.status == "interrupted":
        return
    killed = before.night_id if before is not None and before.ending is None and ending.status != "refused" else None
    changes = _try("the incidents", lambda: _changes(folder, config, ending, was_killed=killed))
    if changes is not None:
        open_now = changes.open
        _try("the incidents", lambda: write_incidents(folder, replace(read_incidents(folder), open=open_now)))
    report = None if ending.status == "refused" else _try("the report", lambda: _write_report(folder, config, ending))
    _try("the metrics", lambda: _write_metrics(folder, config, ending))
    # Comes last but always, even if the disk is full.
    if changes is not None:
        reached = _try("the alerts", lambda: _alert(folder, config, ending, changes, report or ()))
        if reached is not None:
            _try("the incidents", lambda: write_incidents(folder, reached))


def _changes(folder: DataFolder, config: Config, ending: NightEnding, *, was_killed: str | None) -> Changes:
    measures = _measures(folder)
    tonight = incidents_of(ending, measures, was_killed=was_killed)
    before = read_incidents(folder).open
    return changes_of(before, tonight, ending, config.alerts, silent=silent_hosts(measures))


def _measures(folder: DataFolder) -> list[GateMeasureRow]:
    """Rows of the newest run of every host. Empty if the state cannot be read."""
    from verdicts.fetch.store.run_log import gate_measures
    from verdicts.fetch.store.store import open_store
    from verdicts.pipeline.gates.newest_rows import in_force

    try:
        with open_store(folder.root, command="run", read_only=True) as store:
            return in_force(gate_measures(store.state))
    except FetchError:
        return []


def _write_report(folder: DataFolder, config: Config, ending: NightEnding) -> tuple[Path, Path]:
    from verdicts.pipeline.nights.report import write_report

    return write_report(folder, config.care, ending)


def _write_metrics(folder: DataFolder, config: Config, ending: NightEnding) -> None:
    from verdicts.pipeline.nights.metrics import count_night, write_metrics

    counters = count_night(folder, ending)
    for line in counters.discrepancies():
        say(line, "unaccounted")

    write_metrics(
        config.metrics.file or folder.metrics,
        ending,
        counters,
        data=folder.root,
        earlier=logged_nights(folder),
        incidents=read_incidents(folder).open,
        step_seconds=step_seconds,
    )


def _alert(
    folder: DataFolder, config: Config, ending: NightEnding, changes: Changes, attached: Sequence[Path]
) -> Incidents:
    """Sends the message, if there is something to report, and the heartbeat.

    Returns the open incidents and the addresses that failed. If all failed, the next night reports again.
    """
    from verdicts.pipeline.nights.alerts import deliver, message_of

    alerts = config.alerts
    message = message_of(ending, changes) if changes and (alerts.webhook is not None or alerts.apprise) else None
    sent, failed = deliver(alerts, message, ending, attached=attached, beats=ending.published is not None)
    for item in failed:
        say(f"{item.address} could not be reached: {item.why}")
    # Nothing was sent, so the earlier failures are still the newest.
    before = read_incidents(folder).undelivered if message is None else ()
    return Incidents(changes.reported(ending.ended_at) if sent else changes.open, (*before, *failed))


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
