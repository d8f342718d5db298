"""Nights over real sockets: what a fault of the site does to those who read the corpus."""

import shutil

import pytest

from builders.command import published_file, tables_of
from builders.gate_sites import DAY, FAULTS, START, night, site
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.data_folder import DataFolder

pytestmark = pytest.mark.matrix

PAGES = 6


def test_captchas_on_the_second_night_reach_no_reader(good_night, tmp_path):
    folder = DataFolder(tmp_path / "data")
    shutil.copytree(good_night.root, folder.root)
    (made,) = FAULTS["captchas with 200"](PAGES)
    with open_store(folder.root, command="test") as store:
        report = night(store, folder, made, START + DAY)
    assert {row.measure for row in report.gates if row.state == "held"} == {"comparison", "takes"}
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
