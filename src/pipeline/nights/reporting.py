"""What a night came to is noted and reported. What cannot be reported costs a line on standard error."""

import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.fetch.model.errors import FetchError, StoreLocked
from verdicts.fetch.model.snapshot import new_run_id
from verdicts.fetch.store import checksums
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
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
from verdicts.pipeline.sources.config import Config

T = TypeVar("T")


@contextmanager
def reported(folder: DataFolder, config: Config) -> Iterator[NightProgress]:
    """The night in the body: its beginning and its end are noted, and its end is reported. What it raises, it raises.

    `StoreLocked` is not reported: whoever waits for the other run would report it at every look.
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


def report_refusal(folder: DataFolder, config: Config, error: StoreLocked) -> None:
    """A night that began nothing, since another run holds the data folder."""
    moment = steps.now()
    report_ending(folder, config, NightEnding(new_run_id(moment), moment, moment, *failure_of(error)))


def report_ending(folder: DataFolder, config: Config, ending: NightEnding) -> None:
    """Notes the ending and reports it. Raises nothing: the night is what it is.

    A night that failed before there was a data folder makes none.
    """
    if not folder.is_one():
        return
    before = next((night for night in logged_nights(folder) if night.night_id < ending.night_id), None)
    note("night", ending.headline, status=ending.status, exit_code=ending.exit_code, published=ending.published)
    _try("the log of nights", lambda: note_ending(folder, ending))
    # A command that was asked to end has seconds for it; whoever asked knows.
    if ending.status == "interrupted":
        return
    killed = before.night_id if before is not None and before.ending is None and ending.status != "refused" else None
    changes = _try("the incidents", lambda: _changes(folder, config, ending, was_killed=killed))
    if changes is not None:
        open_now = changes.open
        _try("the incidents", lambda: write_incidents(folder, replace(read_incidents(folder), open=open_now)))
    # One that was refused began nothing that could be reported.
    report = None if ending.status == "refused" else _try("the report", lambda: _write_report(folder, config, ending))
    _try("the metrics", lambda: _write_metrics(folder, config, ending))
    # A full disk keeps nobody from being told.
    if changes is not None:
        reached = _try("the alerts", lambda: _alert(folder, config, ending, changes, report or ()))
        if reached is not None:
            _try("the incidents", lambda: write_incidents(folder, reached))


def _changes(folder: DataFolder, config: Config, ending: NightEnding, *, was_killed: str | None) -> Changes:
    """What is wrong from now on, and what of it is to be reported."""
    measures = _measures(folder)
    tonight = incidents_of(ending, measures, was_killed=was_killed)
    before = read_incidents(folder).open
    return changes_of(before, tonight, ending, config.alerts, silent=silent_hosts(measures))


def _measures(folder: DataFolder) -> list[GateMeasureRow]:
    """What the gates found in the newest run of every host; nothing where the state cannot be read."""
    from verdicts.fetch.store.run_log import gate_measures
    from verdicts.fetch.store.store import open_store
    from verdicts.pipeline.build.gates import in_force

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

    def write(path: Path) -> None:
        write_metrics(
            path,
            ending,
            counters,
            data=folder.root,
            earlier=logged_nights(folder),
            incidents=read_incidents(folder).open,
            step_seconds=step_seconds,
        )

    if config.metrics.file is not None:
        write(config.metrics.file)
        return
    with checksums.replaced(folder.metrics):
        write(folder.metrics)


def _alert(
    folder: DataFolder, config: Config, ending: NightEnding, changes: Changes, attached: Sequence[Path]
) -> Incidents:
    """One message to whom the config names, where there is something to report, and the heartbeat.

    Returns what is open and who could not be reached: where nobody was, the next night reports it again.
    """
    from verdicts.pipeline.nights.alerts import deliver, message_of

    alerts = config.alerts
    message = message_of(ending, changes) if changes and (alerts.webhook is not None or alerts.apprise) else None
    sent, failed = deliver(alerts, message, ending, attached=attached, beats=ending.published is not None)
    for item in failed:
        say(f"{item.address} could not be told: {item.why}")
    # Where nothing was sent, what could not be delivered before still stands.
    before = read_incidents(folder).undelivered if message is None else ()
    return Incidents(changes.reported(ending.ended_at) if sent else changes.open, (*before, *failed))


def _try(what: str, action: Callable[[], T]) -> T | None:
    """What the action gives; None where it could not be done, which is said."""
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
