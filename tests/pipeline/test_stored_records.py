"""What a rebuild reads of record files: each observation as often as it is asked for, and nothing once all is read."""

import pytest

from builders.built_nights import keep_night
from builders.made_corpora import make_pages
from builders.made_observations import observations
from pipeline.build.stored_records import StoredRecords


@pytest.fixture
def observed():
    pages = [*make_pages(300, seed=1, labelled=0.5, takes_a_tool=5)]
    return [*observations(pages[:5]), *observations(pages[5:], first=2)]


@pytest.fixture
def files(tmp_path, observed):
    keep_night(tmp_path, observed)
    return sorted(tmp_path.glob("*.parquet"))


def test_every_observation_is_made_again_as_it_was(files, observed):
    stored = StoredRecords(files, ())
    by_place = {item.location: item for item in observed}
    assert {item.location: item for item in stored} == by_place
    assert [*stored] == [*stored]
    places = [item.location for item in observed[7:2:-1]]
    assert [*stored.at(places)] == [by_place[place] for place in places]


def test_what_a_gate_holds_is_left_out(files, observed):
    held = {observed[0].location, observed[-1].location}
    assert {item.location for item in StoredRecords(files, held)} == {item.location for item in observed} - held


def test_nothing_is_kept_once_all_is_read(files):
    stored = StoredRecords(files, ())
    stored.let_go()
    assert [*stored] == []
