"""The gate for a whole build: a new extractor that reads less of the same bytes.

A new extractor reads everything again, so nights are always compared by the present extractor, and only this gate sees
what it loses. It holds the whole build, because one extractor reads all hosts, and record files of the old version stay
until it passes.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import polars as pl

from verdicts.corpus.enumerations import GateMeasure
from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.fetch.store.run_log import gate_accepts, gate_measures
from verdicts.fetch.store.store import Store
from verdicts.pipeline.build.gates import PageReadings, hold
from verdicts.pipeline.build.record_files import UNREADABLE
from verdicts.pipeline.gates.compare import Loss, pairs_of, tallies
from verdicts.pipeline.gates.host_night import HostRun, chosen, examples
from verdicts.pipeline.gates.judge import TESTS, Tested, false_alarm_level, paired_row, settled
from verdicts.pipeline.gates.measures import PAGE_MEASURES
from verdicts.pipeline.gates.newest_rows import newest_runs
from verdicts.pipeline.gates.thresholds import GATE_VERSION, REREAD, GateSettings
from verdicts.pipeline.gates.words import check_held, held_lines
from verdicts.pipeline.progress import say

_PLACE = ["segment", "segment_offset"]
_SHOWN = ["tools", "amounts", "tool_amounts"]


def check_reread(store: Store, records: Path, readings: PageReadings, settings: GateSettings) -> None:
    """Removes outdated record files, if the present extractor reads as much as the previous ones.

    Otherwise raises `HeldBack`. Nothing is built, and the files stay for the next comparison.
    """
    earlier = [file for file in sorted(records.glob("*.parquet")) if file not in set(readings.files)]
    found = _found(store, _amounts_before(earlier), readings, settings)
    if found:
        hold(store, found)
        for line in held_lines(found):
            say(line)
        check_held(found)
    for file in {*records.iterdir()} - {*readings.files}:
        file.unlink()


def _found(
    store: Store, before: pl.DataFrame | None, readings: PageReadings, settings: GateSettings
) -> list[GateMeasureRow]:
    if before is None:
        return []
    newest = newest_runs(gate_measures(store.state))
    accepted = {(row.host, row.measure, row.crawl_id) for row in gate_accepts(store.state)}
    places = readings.frame.select("reading", *_PLACE).join(before, on=_PLACE, how="inner")
    alpha = false_alarm_level(settings.false_alarms_a_year, len(newest) * TESTS)
    found: list[GateMeasureRow] = []
    for host, crawl_id in sorted(newest.items()):
        now = readings.at(host, crawl_id)
        # Negative numbers, so that no reading counts as unchanged.
        then = now.drop(_SHOWN).join(places.drop(_PLACE), on="reading").with_columns(reading=-1 - pl.col("reading"))
        pairs = pairs_of(then.select(now.columns), now)
        counts = tallies(pairs, PAGE_MEASURES, answered=None, fresh=(), facts=())
        for (measure, _), counted in counts.items():
            if (host, measure, crawl_id) not in accepted:
                tested = Tested(measure, REREAD, counted, REREAD.rate)
                found.append(paired_row(HostRun(crawl_id, host), tested, alpha, partial(_reread, readings)))
    return [settled(row, settings) for row in found if row.state == "held"]


def _reread(readings: PageReadings, measure: GateMeasure, losses: Sequence[Loss]) -> Iterator[str]:
    shown = chosen(losses)
    read = readings.reread([loss.after for loss in shown])
    return (example.replace(*_READ_BEFORE) for example in examples(measure, shown, read, readings.profiles))


_READ_BEFORE = ("(its record is lost)", "(read by the extractor before)")
"""The earlier words are in files of another version, whose records may differ."""


def _amounts_before(files: Sequence[Path]) -> pl.DataFrame | None:
    """Places and amounts of earlier readings with the same measures."""
    frames = []
    for file in files:
        if not _is_measured_alike(file):
            continue
        with suppress(*UNREADABLE):
            frames.append(pl.read_parquet(file, columns=[*_PLACE, *_SHOWN]))
    return pl.concat(frames).unique(_PLACE, keep="last") if frames else None


def _is_measured_alike(file: Path) -> bool:
    """`20261101T013000Z-0001-00001.v5-6-1.n20.parquet`: the last number of the version is that of the gates."""
    version: Mapping[int, str] = dict(enumerate(file.name.split(".")))
    return version.get(1, "").endswith(f"-{GATE_VERSION}") and version.get(1, "").count("-") == 2
