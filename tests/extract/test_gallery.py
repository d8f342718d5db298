"""The floors of the gallery, pinned with the digest of its pages and keys. What is silent only ever gets less."""

import tomllib

import pytest

from builders.gallery.pages import Score, digest, gallery_pages, judged, read
from builders.paths import BUILDERS

FLOORS = tomllib.loads((BUILDERS / "gallery_floors.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def pages():
    return list(gallery_pages())


@pytest.fixture(scope="module")
def score(pages):
    score = Score()
    for page in pages:
        score.add(judged(page.answer, read(page)))
    return score


def test_the_pages_are_those_that_the_floors_were_measured_on(pages):
    assert len(pages) == FLOORS["pages"]
    assert digest(pages) == FLOORS["digest"], "other pages: measure again with benchmarks.gallery"


def test_no_field_falls_below_its_floor(score):
    right = score.of("right")
    assert {name: right[name] for name, floor in FLOORS["right"].items() if right[name] < floor} == {}


def test_nothing_more_is_wrong_or_missing_without_a_word(score):
    silent = score.of("silent")
    assert {name: silent[name] for name, ceiling in FLOORS["silent"].items() if silent[name] > ceiling} == {}


def test_nothing_is_silent_on_the_same_layouts_with_other_facts():
    score = Score()
    for page in gallery_pages(edition=9):
        score.add(judged(page.answer, read(page)))
    assert score.silent == 0


def test_what_boxes_say_is_in_the_text_of_the_page(pages):
    boxes = [page for page in pages if page.layout == "product_boxes"]
    kept = [paragraph in " ".join(read(page).text.split()) for page in boxes for paragraph in page.answer.prose]
    assert len(kept) >= 40
    assert all(kept)
