"""Pages of the gallery with their keys, in a folder: drawn by a seed, in random order."""

from collections.abc import Iterator
from dataclasses import asdict
from itertools import count, islice
from pathlib import Path
from random import Random

from msgspec import json

from comparison_bench.gallery.facts import text
from comparison_bench.gallery.pages import GalleryPage, gallery_pages
from comparison_bench.results import Answer, Take, Tool

EDITIONS = 1_000
"""Editions of a seed: no two seeds share a page that compares."""


def write_pages(folder: Path, seed: int, pages: int) -> None:
    """Writes `pages/NNNNN.html`, `pages.jsonl` with their addresses and `answers.jsonl` with their keys."""
    (folder / "pages").mkdir(parents=True)
    with (folder / "pages.jsonl").open("wb") as addresses, (folder / "answers.jsonl").open("wb") as answers:
        for number, page in enumerate(islice(_draw_pages(seed), pages), 1):
            name = f"{number:05}.html"
            (folder / "pages" / name).write_bytes(page.html.encode())
            addresses.write(json.encode({"page": name, "url": page.url}) + b"\n")
            answers.write(json.encode(_answer(name, page)) + b"\n")


def _draw_pages(seed: int) -> Iterator[GalleryPage]:
    for number in count(seed * EDITIONS):
        pages = [*gallery_pages(number)]
        Random(f"edition {number}").shuffle(pages)
        yield from pages


def _answer(name: str, page: GalleryPage) -> Answer:
    key = page.answer
    tools = tuple(Tool(**asdict(tool)) for tool in key.tools)
    # Some layouts leave out a part of what is written of a tool.
    prose = tuple(words for words in key.prose if text(words) in page.html)
    takes = tuple(Take(review.text, key.tools[0].name, review.author, review.rating) for review in key.reviews)
    return Answer(name, tools, tuple(sorted(key.cells)), takes, None, page.layout, prose, key.furniture)
