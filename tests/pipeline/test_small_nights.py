"""Small nights one after the other leave what a rebuild of their records makes. A year: `benchmarks.small_nights`."""

from pathlib import Path

import pytest

from builders.built_nights import build_night, differing_rows, keep_night
from builders.small_nights import WEIGHTS, SmallNights, small_nights
from pipeline.build import rounds
from pipeline.data_folder import DataFolder
from warehouse.storage.connection import writing

PLAN = SmallNights(seed=13, appearances=900, nights=2, pages=(12, 18), labelled=0.8, takes_a_tool=6, ambiguous_from=2)
"""An address that can be cut in several ways may have all built: the night before it is compared as well."""


@pytest.mark.matrix
def test_small_nights_give_the_corpus_of_a_rebuild(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "WHOLE_SHARE", 1.0)
    folder = rebuilt = DataFolder(tmp_path / "nights")
    nights = [*small_nights(PLAN)]
    for night in nights:
        keep_night(folder.records, night.observations)
        build_night(folder, night.at, night.gone, night.moved)
        if night.number:
            rebuilt = DataFolder(tmp_path / f"rebuilt-{night.number}")
            build_night(rebuilt, night.at, night.gone, night.moved, records=folder.records)
            assert differing_rows(folder.warehouse, rebuilt.warehouse) == {}
    assert {event for night in nights for event in night.events} == {*WEIGHTS}
    with writing(rebuilt.warehouse) as connection:
        connection.execute("DELETE FROM attribution_evidence WHERE rowid = 0")
    assert list(differing_rows(folder.warehouse, rebuilt.warehouse)) == ["attribution_evidence"]
