"""Whether we changed: the same bytes, read by the extractor before and by the present one.

A new version reads everything again, so that a night is compared with earlier ones as the present extractor reads them,
and what it sees is the site's doing. What the new version itself loses is seen here alone, and holds the whole build:
one extractor reads all hosts. The record files of the version before are kept until it passes.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import polars as pl

from verdicts.corpus.rows.gates import GateMeasureRow
from verdicts.fetch.store import checksums
from verdicts.fetch.store.run_log import gate_accepts, gate_measures
from verdicts.fetch.store.store import Store
from verdicts.pipeline.build.gates import hold, newest_runs
from verdicts.pipeline.build.page_readings import PageReadings
from verdicts.pipeline.gates.compare import pairs_of, tallies
from verdicts.pipeline.gates.host_night import HostRun, chosen, examples
from verdicts.pipeline.gates.judge import TESTS, Tested, false_alarm_level, settled, state_of, tested_row
from verdicts.pipeline.gates.measures import PAGE_MEASURES
from verdicts.pipeline.gates.thresholds import GATE_VERSION, REREAD, GateSettings
from verdicts.pipeline.gates.words import check_held, held_lines
from verdicts.pipeline.progress import say

_PLACE = ["segment", "segment_offset"]
_SHOWN = ["tools", "amounts", "tool_amounts"]


def check_reread(store: Store, records: Path, readings: PageReadings, settings: GateSettings) -> None:
    """Removes all but the present record files, where the present extractor reads as much as those before it.

    Raises `HeldBack` where it does not: nothing is built, and the files stay to be compared again.
    """
    earlier = [file for file in sorted(records.glob("*.parquet")) if file not in set(readings.files)]
    found = _found(store, _amounts_before(earlier), readings, settings)
    if found:
        hold(store, found)
        for line in held_lines(found):
            say(line)
        check_held(found)
    present = {*readings.files, *map(checksums.beside, readings.files)}
    for file in set(records.iterdir()) - present:
        file.unlink()


def _found(
    store: Store, before: pl.DataFrame | None, readings: PageReadings, settings: GateSettings
) -> list[GateMeasureRow]:
    if before is None:
        return []
    newest = newest_runs(gate_measures(store.state))
    accepted = {(row.host, row.measure, row.crawl_id) for row in gate_accepts(store.state)}
    alpha = false_alarm_level(settings.false_alarms_a_year, len(newest) * TESTS)
    places = readings.frame.select("reading", *_PLACE).join(before, on=_PLACE, how="inner")
    found = []
    for host, crawl_id in sorted(newest.items()):
        now = readings.at(host, crawl_id)
        # Numbered apart, so that no reading counts as the same.
        then = now.drop(_SHOWN).join(places.drop(_PLACE), on="reading").with_columns(reading=-1 - pl.col("reading"))
        pairs = pairs_of(then.select(now.columns), now)
        counts = tallies(pairs, PAGE_MEASURES, answered=None, fresh=(), only_changed=True, facts=())
        for (measure, _), counted in counts.items():
            tested = Tested(measure, REREAD, counted, REREAD.rate)
            state, p_value = state_of(tested, alpha)
            if state != "held" or (host, measure, crawl_id) in accepted:
                continue
            some = chosen(counted.losses)
            read = readings.reread([loss.after for loss in some])
            shown = tuple(example.replace(*_READ_BEFORE) for example in examples(measure, some, read))
            row = tested_row(HostRun(crawl_id, host), tested, state, p_value, shown)
            found.append(settled(row, settings))
    return found


_READ_BEFORE = ("(its record is lost)", "(read by the extractor before)")
"""The words of before are in a file of another version, whose records may have another form."""


def _amounts_before(files: Sequence[Path]) -> pl.DataFrame | None:
    """Place and amounts of every reading in files of earlier versions that have the same measures."""
    frames = []
    for file in files:
        if checksums.is_as_noted(file) is False or not _is_measured_alike(file):
            continue
        with suppress(pl.exceptions.PolarsError):
            frames.append(pl.read_parquet(file, columns=[*_PLACE, *_SHOWN]))
    return pl.concat(frames).unique(_PLACE, keep="last") if frames else None


def _is_measured_alike(file: Path) -> bool:
    """`20261101T013000Z-0001-00001.v5-6-1.n20.parquet`: the last number of the version is the gates'."""
    version: Mapping[int, str] = dict(enumerate(file.name.split(".")))
    return version.get(1, "").endswith(f"-{GATE_VERSION}") and version.get(1, "").count("-") == 2
