"""Pages of both generators with their keys, in a folder: drawn by a seed, in random order."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

from msgspec import json
from msgspec.structs import replace

from comparison_bench.gallery.facts import text
from comparison_bench.gallery.pages import GalleryPage, gallery_pages, shapes
from comparison_bench.other_site.cases import Case, singles
from comparison_bench.other_site.layouts import LAYOUTS
from comparison_bench.other_site.web_shapes import WebPage, web_pages
from comparison_bench.results import Answer, Take, Tool

EDITIONS = 1_000
"""Editions of a seed: no two seeds share a page that compares."""

Made = tuple[str, bytes, Answer]
"""Address, HTML and key."""


def write_pages(folder: Path, seed: int, pages: int) -> None:
    """Writes `pages/NNNNN.html`, `pages.jsonl` with their addresses and `answers.jsonl` with their keys.

    Half of them are the first generator's; a quarter each are panel pages and others of the second. Pages that
    contradict themselves are left out: no value on them is right.
    """
    quarter = pages // 4
    sources: tuple[tuple[Callable[[Any], Made], Callable[[int], list[Any]], int], ...] = (
        (
            _of_gallery,
            lambda n: [one for one in (*gallery_pages(n), *shapes(n)) if not one.answer.breaks],
            pages - 2 * quarter,
        ),
        (_of_panel, lambda n: [one for one in singles((n,), [*LAYOUTS]) if one.demand == "right"], quarter),
        (_of_web, lambda n: [one for one in web_pages(n) if not one.is_told], quarter),
    )
    drawn = [made(one) for made, edition, most in sources for one in islice(_drawn(edition, seed), most)]
    Random(f"order {seed}").shuffle(drawn)
    (folder / "pages").mkdir(parents=True)
    with (folder / "pages.jsonl").open("wb") as addresses, (folder / "answers.jsonl").open("wb") as answers:
        for number, (url, html, answer) in enumerate(drawn, 1):
            page = f"{number:05}.html"
            (folder / "pages" / page).write_bytes(html)
            addresses.write(json.encode({"page": page, "url": url}) + b"\n")
            answers.write(json.encode(replace(answer, page=page)) + b"\n")


def _drawn(edition: Callable[[int], list[Any]], seed: int) -> Iterator[Any]:
    for number in count(seed * EDITIONS):
        pages = edition(number)
        Random(f"edition {number}").shuffle(pages)
        yield from pages


def _of_gallery(page: GalleryPage) -> Made:
    key, layout = page.answer, f"gallery: {page.layout}"
    tools = tuple(Tool(**asdict(tool)) for tool in key.tools)
    cells = tuple(sorted(key.cells))
    # Some layouts leave out a part of what is written of a tool.
    prose = tuple(words for words in key.prose if text(words) in page.html)
    takes = tuple(Take(review.text, key.tools[0].name, review.author, review.rating) for review in key.reviews)
    return page.url, page.html.encode(), Answer("", tools, cells, takes, None, layout, prose, key.furniture)


def _of_panel(case: Case) -> Made:
    key = case.key
    decisions = {decision["side"]: decision for decision in key["decisions"]}
    tools = {
        card["side"]: Tool(
            price=decisions[card["side"]]["pricing"],
            best_for=decisions[card["side"]]["best_for"],
            verdict=card["chip"],
            panel_pct=float(card["panel_ship"]),
            community_pct=card["community"] and float(card["community"]),
            **{name: card[name] for name in ("name", "tagline", "category", "description", "entry")},
        )
        for card in key["cards"]
    }
    takes = (Take(tool=tools[one.pop("side")].name, **one) for one in key["takes"])
    answer = Answer("", tuple(tools.values()), (), tuple(takes), layout=f"panel: {case.layout}")
    return case.url, case.body, answer


def _of_web(page: WebPage) -> Made:
    tools = (Tool(one.name, one.rank, one.price, one.rating, one.best_for) for one in page.goods)
    cells = ((one.name, *fact) for one in page.goods for fact in one.facts)
    url = f"https://wetboots.example/{page.layout}/{page.number}"
    return url, page.html.encode(), Answer("", tuple(tools), tuple(cells), layout=f"web: {page.layout}")
