"""The floors of extraction, pinned with the digest of the pages they were measured on. They are only ever raised."""

import ast
import sys
import tomllib
from pathlib import Path

import pytest

import comparison_bench
from builders.paths import BUILDERS
from builders.readings import make_report_check, read_gallery, tally
from comparison_bench.gallery.pages import digest, gallery_pages
from comparison_bench.scoring import Value, judge_values
from verdicts.extract.page import extract

FLOORS = tomllib.loads((BUILDERS / "fidelity_floors.toml").read_text(encoding="utf-8"))


def find_unreported(readings):
    return [
        (reading.name, finding)
        for reading in readings
        for finding in reading.findings
        if finding.mark in ("silent", "wrong")
    ]


def test_nothing_is_wrong_or_missing_without_a_report_and_no_floor_breaks():
    pages = [*gallery_pages()]
    assert digest(pages) == FLOORS["digest"], "other pages: measure again with benchmarks.fidelity"
    readings = [*map(read_gallery, pages)]
    assert find_unreported(readings) == []
    right = {field: counts["right"] for field, counts in tally(readings).items()}
    assert sorted(right) == sorted(FLOORS["right"])
    assert {field: count for field, count in right.items() if count < FLOORS["right"][field]} == {}


@pytest.mark.whole
def test_nothing_is_silent_on_the_same_layouts_with_other_facts():
    assert find_unreported(map(read_gallery, gallery_pages(edition=9))) == []


def test_what_boxes_say_is_in_the_text_of_the_page():
    boxes = [page for page in gallery_pages() if page.layout == "product_boxes"]
    texts = {page: " ".join(extract(read_gallery(page).page).text.split()) for page in boxes}
    kept = [paragraph in texts[page] for page in boxes for paragraph in page.answer.prose]
    assert len(kept) >= 40
    assert all(kept)


def test_the_scorer_tells_missing_values_from_wrong_ones_and_from_those_that_are_reported():
    key = [Value("tool", "Ada", "Ada"), Value("cell", "Ada / size", "1"), Value("cell", "Ada / size", "2")]
    given = [Value("cell", "Ada / size", "2"), Value("cell", "Ada / size", "3"), Value("tool", "Bo", "Bo")]

    def marks(*rules):
        return {(one.expected, one.given): one.mark for one in judge_values(key, given, make_report_check(rules))}

    mute = {("2", "2"): "right", ("Ada", None): "silent", ("1", "3"): "wrong", (None, "Bo"): "wrong"}
    assert marks() == mute
    assert marks("flawed_table") == mute | {("1", "3"): "reported"}
    assert marks("list_not_read") == mute | {("Ada", None): "reported"}


def test_the_gallery_is_made_without_the_reader():
    imported = set()
    for path in (Path(comparison_bench.__file__).parent / "gallery").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported |= {node.module.partition(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported - sys.stdlib_module_names == {"comparison_bench", "jinja2"}
