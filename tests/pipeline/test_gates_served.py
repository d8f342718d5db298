"""Nights over real sockets: what a fault of the site does to those who read the corpus."""

import shutil

import pytest

from builders.command import published_file, tables_of
from builders.gate_sites import DAY, FAULTS, START, night, site
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.data_folder import DataFolder

pytestmark = pytest.mark.matrix

PAGES = 6


@pytest.mark.parametrize(
    ("fault", "measures"),
    [
        ("captchas with 200", {"comparison", "takes"}),
        ("the site is down", {"answered"}),
    ],
)
def test_a_fault_on_the_second_night_reaches_no_reader(fault, measures, good_night, tmp_path):
    folder = DataFolder(tmp_path / "data")
    shutil.copytree(good_night.root, folder.root)
    (made,) = FAULTS[fault](PAGES)
    with open_store(folder.root, command="test") as store:
        report = night(store, folder, made, START + DAY)
    assert {row.measure for row in report.gates if row.state == "held"} == measures
    held, before = (tables_of(published_file(of.root)) for of in (folder, good_night))
    assert [held[name] for name in ("pages", "tools", "verdicts", "reviews")] == [
        before[name] for name in ("pages", "tools", "verdicts", "reviews")
    ]


@pytest.fixture(scope="module")
def good_night(tmp_path_factory):
    folder = DataFolder(tmp_path_factory.mktemp("served") / "data")
    with open_store(folder.root, command="test") as store:
        night(store, folder, site(PAGES), START)
    return folder
