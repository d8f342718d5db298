"""Reading a page takes time that grows with the page and no faster, whatever stands on it."""

import random
from collections.abc import Callable
from time import process_time

import pytest
from justext.core import revise_paragraph_classification

from builders.command import run_here
from builders.snapshots import html
from verdicts.extract.generic.boxes import read_boxes
from verdicts.extract.generic.main_text import _classify_by_neighbours
from verdicts.extract.generic.promise import read_promise
from verdicts.extract.generic.web_page import WebPage
from verdicts.extract.html.html_page import Page
from verdicts.extract.page import extract
from verdicts.extract.recipes.page_view import page_view
from verdicts.extract.recipes.reading import read_by_recipe
from verdicts.extract.recipes.recipe import parse_recipe

URL = "https://x.example/a"
TIMES = 4
"""So many times as large a page takes at most twice as many times as long; a square takes 16 times."""

CARD = '<div class="card"><h3>{}</h3><p>Price: $5</p></div>'
BOX = "<li><a href='/a'>Lamp</a><p>$5</p></li>"
RECIPE = parse_recipe(
    "x.example",
    """
[tools]
css = "div"
[tools.fields]
name = { css = "h2, h3, b" }
[tools.rows]
All = { css = "*" }
""",
    "x.example.toml",
)


def read(page: bytes) -> None:
    extract(html(page.decode(), URL))


def view(page: bytes) -> None:
    page_view(page, URL, {})


def by_recipe(page: bytes) -> None:
    read_by_recipe(WebPage(Page(page, URL)), RECIPE)


def in_boxes(page: bytes) -> None:
    read_boxes(Page(page, URL).blocks(), read_promise(["The best lamps"]))


def with_ratings(page: bytes) -> None:
    _ = Page(page, URL, is_drawn=True).tree


SHAPES: dict[str, tuple[Callable[[bytes], None], Callable[[int], str], int]] = {
    "cards that say the same": (read, lambda n: CARD.format("Tool") * n, 500),
    "cards": (read, lambda n: "".join(map(CARD.format, range(n))), 500),
    "rows": (read, lambda n: f"<table><tr><th>x<th>A<th>B{'<tr><td>Price<td>$5<td>$9' * n}</table>", 500),
    "cells over many rows": (in_boxes, lambda n: f"<table>{'<tr><td rowspan=1000 colspan=60>a' * n}</table>", 300),
    "texts in each other": (view, lambda n: "<div>text " * n, 1_000),
    "elements around one text": (view, lambda n: f"{'<div>' * n}text", 1_000),
    "lists of a word each": (read, lambda n: "".join(f"<ul><li>w{number}</ul>" for number in range(n)), 1_000),
    "lists of boxes": (in_boxes, lambda n: f"<ul>{BOX * 4}</ul>" * n, 1_000),
    "named ratings in each other": (with_ratings, lambda n: '<div aria-label="4 out of 5">' * n, 1_000),
    "drawn stars in each other": (with_ratings, lambda n: '<div class="stars" style="width:40%">' * n, 1_000),
    "records in each other": (by_recipe, lambda n: f"{'<div>' * n}<h3>A</h3>", 500),
}


def seconds(reading: Callable[[bytes], None], body: str) -> float:
    page = f"<html><title>A vs B</title><body>{body}</body></html>".encode()
    began = process_time()
    reading(page)
    return process_time() - began


@pytest.mark.whole
@pytest.mark.parametrize("shape", SHAPES)
def test_a_larger_page_takes_as_much_longer_as_it_is_larger(shape):
    reading, body, size = SHAPES[shape]
    seconds(reading, body(10))
    # The machine has other work: the best of three says what the page takes.
    ratios = (seconds(reading, body(TIMES * size)) / seconds(reading, body(size)) for _ in range(3))
    assert any(ratio < 2 * TIMES for ratio in ratios)


@pytest.mark.whole
def test_a_large_page_is_tried_in_time_that_grows_with_it(tmp_path):
    def try_page(texts: int) -> float:
        body = "".join(f"<div>text {number}</div>" for number in range(texts))
        (tmp_path / "page.html").write_text(f"<!doctype html><html><body>{body}</body></html>")
        began = process_time()
        done = run_here("recipe", "try", "page.html", cwd=tmp_path)
        assert done.returncode == 0
        assert " more" in done.stdout
        assert len(done.stdout) < 1_000_000
        return process_time() - began

    try_page(10_000 // TIMES)
    assert any(try_page(40_000) < 2 * TIMES * try_page(40_000 // TIMES) for _ in range(3))


def test_paragraphs_have_the_classes_that_justext_gives_them():
    class Paragraph:
        heading = False

        def __init__(self, cf_class: str) -> None:
            self.cf_class = self.class_type = cf_class

    chance = random.Random(1)
    for _ in range(2_000):
        weights = [chance.random() for _ in range(4)]
        classes = chance.choices(["good", "bad", "short", "neargood"], weights, k=chance.randrange(12))
        theirs, ours = ([Paragraph(one) for one in classes] for _ in range(2))
        revise_paragraph_classification(theirs)
        _classify_by_neighbours(ours, 0)
        assert [one.class_type for one in ours] == [one.class_type for one in theirs], classes
