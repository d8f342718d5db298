"""The gate for a whole build: a new extractor that reads less of the same bytes.

A new extractor reads everything again, so nights are always compared by the present extractor, and only this gate sees
what it loses. It holds the whole build, because one extractor reads all hosts, and record files of the old version stay
until it passes.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import polars as pl

from verdicts.corpus.enumerations import GateMeasure
from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.fetch.store.run_log import note_measures, read_gate_accepts, read_gate_measures
from verdicts.fetch.store.store import Store
from verdicts.pipeline.build.page_readings import PageReadings
from verdicts.pipeline.build.record_files import UNREADABLE
from verdicts.pipeline.gates.compare import Loss, count_losses, pair_readings
from verdicts.pipeline.gates.examples import pick_examples, write_examples
from verdicts.pipeline.gates.holds import check_holds, find_newest_runs, list_holds
from verdicts.pipeline.gates.judge import TESTS, HostRun, Tested, find_false_alarm_level, judge_test, settle
from verdicts.pipeline.gates.thresholds import GATE_VERSION, REREAD, GateSettings
from verdicts.pipeline.progress import say

_PLACE = ["segment", "segment_offset"]
_SHOWN = ["tools", "amounts", "tool_amounts"]


def check_reread(store: Store, records: Path, readings: PageReadings, settings: GateSettings) -> None:
    """Removes outdated record files, if the present extractor reads as much as the previous ones.

    Otherwise raises `HeldBack`. Nothing is built, and the files stay for the next comparison.
    """
    before = _read_earlier_amounts(
        [file for file in sorted(records.glob("*.parquet")) if file not in set(readings.files)]
    )
    if before is not None and (losses := _find_losses(store, before, readings, settings)):
        # Stored beside other rows of the same runs.
        judged = {(row.crawl_id, row.host) for row in losses}
        tests = {(row.measure, row.test, row.unit) for row in losses}
        unchanged = [
            row
            for row in read_gate_measures(store.state)
            if (row.crawl_id, row.host) in judged and (row.measure, row.test, row.unit) not in tests
        ]
        with store.transaction():
            note_measures(store.state, [*unchanged, *losses], judged)
        for line in list_holds(losses):
            say(line)
        check_holds(losses)
    for file in {*records.iterdir()} - {*readings.files}:
        file.unlink()


def _find_losses(
    store: Store, before: pl.DataFrame, readings: PageReadings, settings: GateSettings
) -> list[GateMeasureRow]:
    newest = find_newest_runs(read_gate_measures(store.state))
    accepted = {(row.host, row.measure, row.crawl_id) for row in read_gate_accepts(store.state)}
    readings_before = readings.frame.select("reading", *_PLACE).join(before, on=_PLACE, how="inner")
    alpha = find_false_alarm_level(settings.false_alarms_a_year, len(newest) * TESTS)
    rows: list[GateMeasureRow] = []
    for host, crawl_id in sorted(newest.items()):
        now = readings.pick_newest(host, crawl_id)
        then = now.drop(_SHOWN).join(readings_before.drop(_PLACE), on="reading").select(now.columns)
        for (measure, _), tally in count_losses(pair_readings(then, now), fresh=(), facts=()).items():
            if (host, measure, crawl_id) not in accepted:
                tested = Tested(measure, REREAD, tally, REREAD.rate)
                rows.append(judge_test(HostRun(host, crawl_id), tested, alpha, partial(_write_loss_examples, readings)))
    return [settle(row, settings) for row in rows if row.state == "held"]


def _write_loss_examples(readings: PageReadings, measure: GateMeasure, losses: Sequence[Loss]) -> Iterator[str]:
    chosen = [loss._replace(before=-1) for loss in pick_examples(losses)]
    read = readings.reread([loss.after for loss in chosen])
    return (example.replace(*_READ_BEFORE) for example in write_examples(measure, chosen, read, readings.profiles))


_READ_BEFORE = ("(its record is lost)", "(read by the extractor before)")
"""The earlier words are in files of another version, whose records may differ."""


def _read_earlier_amounts(files: Sequence[Path]) -> pl.DataFrame | None:
    """Places and amounts of earlier readings with the same measures."""
    frames = []
    for file in files:
        # `20261101T013000Z-0001-00001.v5-6-1.n20.parquet`: the last number of the version is that of the gates.
        version = file.name.split(".")[1].split("-")
        if len(version) == 3 and version[2] == GATE_VERSION:
            with suppress(*UNREADABLE):
                frames.append(pl.read_parquet(file, columns=[*_PLACE, *_SHOWN]))
    return pl.concat(frames).unique(_PLACE, keep="last") if frames else None
