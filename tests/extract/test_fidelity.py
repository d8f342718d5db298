"""The floors of extraction, pinned with the digest of the pages they were measured on. They are only ever raised."""

import ast
import sys
from itertools import chain
from pathlib import Path

import pytest

import comparison_bench
from builders.fidelity import FLOORS, SETS
from builders.readings import read_gallery, read_web
from builders.scoring import reported_by, tally, tally_pages
from comparison_bench.gallery.pages import gallery_pages, shapes
from comparison_bench.other_site.web_shapes import web_pages
from comparison_bench.scoring import Value, judged
from verdicts.extract.page import extract


def unreported(readings):
    return [
        (reading.name, finding)
        for reading in readings
        for finding in reading.findings
        if finding.mark in ("silent", "wrong")
    ]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.whole] if name == "other-site" else []) for name in SETS]
)
@pytest.mark.share(2)
def test_nothing_is_wrong_or_missing_without_a_report_and_no_floor_breaks(name):
    floors, (make, digest, read) = FLOORS[name], SETS[name]
    pages = list(make())
    assert len(pages) == floors["count"]
    assert digest(pages) == floors["digest"], "other pages: measure again with benchmarks.fidelity"
    readings = list(map(read, pages))
    assert unreported(readings) == []
    values = {field: counts["right"] for field, counts in tally(readings, "field").items()}
    assert sum(values.values()) >= floors.get("right", 0)
    states = {kind: counts["right"] for kind, counts in tally_pages(readings, "kind").items()}
    for group, right in (("values", values), ("pages", states)):
        if group in floors:
            assert sorted(right) == sorted(floors[group])
            assert {one: count for one, count in right.items() if count < floors[group][one]} == {}


@pytest.mark.whole
def test_nothing_is_silent_on_the_same_layouts_with_other_facts():
    assert unreported(map(read_gallery, chain(gallery_pages(edition=9), shapes(edition=9)))) == []
    assert unreported(map(read_web, web_pages(seed=9))) == []


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
        return {(one.expected, one.given): one.mark for one in judged(key, given, reported_by(rules))}

    mute = {("2", "2"): "right", ("Ada", None): "silent", ("1", "3"): "wrong", (None, "Bo"): "wrong"}
    assert marks() == mute
    assert marks("flawed_table") == mute | {("1", "3"): "reported"}
    assert marks("list_not_read") == mute | {("Ada", None): "reported"}


@pytest.mark.parametrize("generator", ["gallery", "other_site"])
def test_a_generator_is_made_without_the_extractor_and_without_the_other_generator(generator):
    imported = set()
    for path in (Path(comparison_bench.__file__).parent / generator).rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    foreign = {module for module in imported if not module.startswith(f"comparison_bench.{generator}")}
    assert {module for module in foreign if module.partition(".")[0] not in sys.stdlib_module_names} <= {"jinja2"}
