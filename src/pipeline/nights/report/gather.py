"""The facts of a night, whatever of it can be read. Reads only."""

from collections.abc import Iterator
from contextlib import contextmanager

from verdicts.fetch.model.errors import FetchError, StoreMissing
from verdicts.fetch.store.run_log import gate_measures
from verdicts.fetch.store.store import Store, open_store
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.ending import NightEnding
from verdicts.pipeline.nights.incident_file import read_told
from verdicts.pipeline.nights.night_log import LoggedNight, logged_nights
from verdicts.pipeline.nights.report import from_state
from verdicts.pipeline.nights.report.facts import Absent, Crawled, Gates, NightFacts, NightOutcomes, OpenIncident, some
from verdicts.pipeline.nights.report.from_care import care_lines
from verdicts.pipeline.nights.report.from_corpus import corpus_changes
from verdicts.pipeline.sources.config_sections import CareConfig
from verdicts.pipeline.verify import damaged_state

NIGHTS_SHOWN = 14
"""Nights in the picture of outcomes."""


def facts_of(folder: DataFolder, care: CareConfig, ending: NightEnding) -> NightFacts:
    """All that a report of the night shows. A state or a copy that cannot be read leaves its sections absent."""
    nights = _nights_until(folder, ending)
    told = read_told(folder)
    incidents = [
        OpenIncident(item.host or None, item.cause, item.opened_at, item.words)
        for item in told.open
        if item.opened_at <= ending.ended_at
    ]
    crawled: Crawled | Absent
    gates: Gates | Absent
    shown: tuple[NightOutcomes, ...]
    try:
        with _readable(folder, ending) as store:
            measured = gate_measures(store.state)
            crawled = from_state.crawled(store, ending, measured)
            gates = from_state.judged(store, ending, measured)
            shown, cared = from_state.outcomes(store, nights), care_lines(folder, care, store, ending)
    except FetchError as unreadable:
        crawled = gates = Absent(_why_unreadable(unreadable))
        shown, cared = from_state.outcomes(None, nights), care_lines(folder, care, None, ending)
    return NightFacts(
        ending=ending,
        crawled=crawled,
        nights=shown,
        gates=gates,
        corpus=corpus_changes(folder, ending),
        care=cared,
        incidents=some(incidents),
        undelivered=tuple(f"{item.address} could not be told: {item.why}" for item in told.undelivered),
    )


@contextmanager
def _readable(folder: DataFolder, ending: NightEnding) -> Iterator[Store]:
    """The state, read-only. After a night that failed it is compared with its digest first: it may be the reason."""
    if ending.status == "failed" and (damage := damaged_state(folder)) is not None:
        raise damage
    with open_store(folder.root, command="report", read_only=True) as store:
        yield store


def _why_unreadable(error: FetchError) -> str:
    if isinstance(error, StoreMissing):
        return "There is no state yet: nothing was ever fetched."
    return f"The state cannot be read: {error}"


def _nights_until(folder: DataFolder, ending: NightEnding) -> list[LoggedNight]:
    """The night and those before it, the newest first. Refused ones are left out: they began nothing."""
    nights = [night for night in logged_nights(folder) if night.night_id < ending.night_id]
    begun = [night for night in nights if night.ending is None or night.ending.status != "refused"]
    return [LoggedNight(ending.night_id, ending.began_at, ending), *begun[: NIGHTS_SHOWN - 1]]
