"""What a night came to is noted and told, whatever it came to. What cannot be told is said on standard error."""

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from verdicts.fetch.model.errors import StoreLocked
from verdicts.fetch.model.snapshot import new_run_id
from verdicts.fetch.store import checksums
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.exit_codes import exit_code, message
from verdicts.pipeline.logs.json_lines import ids, note
from verdicts.pipeline.logs.log_file import log_to
from verdicts.pipeline.nights.alerts import changes_tonight, send_alerts
from verdicts.pipeline.nights.ending import (
    NightEnding,
    NightProgress,
    NightStatus,
    code_of,
    headline_of_failure,
    status_of_failure,
)
from verdicts.pipeline.nights.incident_file import read_told, write_told
from verdicts.pipeline.nights.night_log import logged_nights, note_beginning, note_ending
from verdicts.pipeline.progress import say, step_seconds

if TYPE_CHECKING:
    from verdicts.pipeline.nights.report.kept import Report
    from verdicts.pipeline.sources.config import Config

T = TypeVar("T")


@contextmanager
def told(folder: DataFolder, config: "Config") -> Iterator[NightProgress]:
    """The night in the body: its beginning and its end are noted, and its end is told. What it raises, it raises.

    `StoreLocked` is not told: whoever waits for the other run would tell of it at every look.
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
        tell(folder, config, NightEnding(night_id, began_at, steps.now(), status, code, headline, *parts))

    try:
        yield progress
    except StoreLocked:
        raise
    except BaseException as error:
        end(*status_of_failure(error), headline_of_failure(error))
        raise
    end(progress.status, code_of(progress.status), progress.headline)


def tell_refusal(folder: DataFolder, config: "Config", error: Exception) -> None:
    """A night that began nothing, since another run holds the data folder."""
    moment = steps.now()
    status, code = status_of_failure(error)
    ending = NightEnding(new_run_id(moment), moment, moment, status, code, headline_of_failure(error))
    tell(folder, config, ending)


def tell(folder: DataFolder, config: "Config", ending: NightEnding) -> None:
    """Notes the ending and tells of it. Raises nothing: the night is what it is.

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
    changes = _try("the incidents", lambda: changes_tonight(folder, config.alerts, ending, was_killed=killed))
    if changes is not None:
        _try("the incidents", lambda: write_told(folder, replace(read_told(folder), open=changes.open)))
    # One that was refused began nothing that could be reported.
    report = None if ending.status == "refused" else _try("the report", lambda: _report(folder, config, ending))
    _try("the metrics", lambda: _metrics(folder, config, ending))
    if changes is None:
        return
    # A full disk keeps nobody from being told.
    attached = () if report is None else (report.html, report.markdown)
    told_of = _try("the alerts", lambda: send_alerts(folder, config.alerts, ending, changes, attached))
    if told_of is not None:
        _try("the incidents", lambda: write_told(folder, told_of))


def _metrics(folder: DataFolder, config: "Config", ending: NightEnding) -> None:
    from verdicts.pipeline.nights.counters import count_night, discrepancies
    from verdicts.pipeline.nights.metrics import NightNumbers, write_metrics

    counters = count_night(folder, ending)
    for line in discrepancies(counters):
        say(line, "unaccounted")
    nights, incidents = tuple(logged_nights(folder)), read_told(folder).open
    chosen, numbers = config.metrics.file, NightNumbers(ending, counters, nights, incidents, step_seconds, folder.root)
    if chosen is not None:
        write_metrics(chosen, numbers)
        return
    with checksums.replaced(folder.metrics):
        write_metrics(folder.metrics, numbers)


def _report(folder: DataFolder, config: "Config", ending: NightEnding) -> "Report":
    from verdicts.pipeline.nights.report.files import write_report

    return write_report(folder, config.care, ending)


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
