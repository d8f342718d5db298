"""Whatever becomes of a page on its way: extraction gives records or a typed reject, nothing else."""

import re

import pytest
import trafilatura  # noqa: F401  its import is not what the deadline is for
from hypothesis import example, given, settings
from hypothesis import strategies as st

from builders.paths import PAGES
from builders.redesigns import Design, as_data, page
from builders.renderings import RENDERERS, page_url
from builders.snapshots import html, snapshot
from verdicts.demo_site.facts import load_facts
from verdicts.extract.model.records import Comparison, Document, Reject
from verdicts.extract.page import extract

FACTS = load_facts()
PAIR = FACTS.pairs[3]
OTHERS = sorted(PAGES.glob("*.html"))

SOURCES = {
    **{name: render(FACTS, PAIR) for name, render in RENDERERS.items()},
    "tool columns": page(FACTS, PAIR, Design(cards="tool columns", decision="transposed", scorecard="by tool")),
    "tool rows": page(FACTS, PAIR, Design(cards="tool rows", decision="by tool", scorecard="named cells")),
    "data": as_data(FACTS, PAIR),
    **{path.stem: path.read_text(encoding="utf-8") for path in OTHERS},
}

PIECES = {name: re.findall(r"<[^<>]*>|[^<>]+", text) for name, text in SOURCES.items()}


def read(name: str, body: bytes, url: str) -> None:
    make = snapshot if name in {"innertext", "quotes"} else html
    assert isinstance(extract(make(body, url)), Comparison | Document | Reject)


@pytest.mark.parametrize("url", [page_url(PAIR), "http://demo.verdicts.example/blog/one"])
@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(sorted(SOURCES)),
    st.lists(st.tuples(st.integers(0, 30_000), st.binary(max_size=6), st.integers(0, 200)), min_size=1, max_size=8),
)
def test_bytes_lost_changed_and_added(url, name, damages):
    body = SOURCES[name].encode()
    for number, junk, cut in damages:
        place = number % (len(body) + 1)
        body = body[:place] + junk + body[place + cut :]
    read(name, body, url)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(sorted(SOURCES)),
    st.lists(st.tuples(st.sampled_from(["drop", "double", "swap"]), st.integers(0, 10**6)), min_size=1, max_size=12),
)
@example("html_semantic", [("drop", 59134)])
def test_tags_and_texts_lost_doubled_and_moved(name, changes):
    pieces = list(PIECES[name])
    for change, number in changes:
        index = number % len(pieces)
        if change == "drop":
            del pieces[index : index + 1 + number % 5]
        elif change == "double":
            pieces[index:index] = pieces[index : index + 1 + number % 9]
        else:
            partner = (number * 31) % len(pieces)
            pieces[index], pieces[partner] = pieces[partner], pieces[index]
        pieces = pieces or [""]
    read(name, "".join(pieces).encode(), page_url(PAIR))
