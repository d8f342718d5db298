"""Pages whose bytes are anything, through extraction, normalization and load: nothing raises, no neighbour changes."""

import random
from functools import cache

import duckdb
import pytest

from builders.paths import PAGES
from builders.renderings import RENDERERS, page_url
from builders.snapshots import html, observe, snapshot
from builders.warehouse_files import load_corpus
from verdicts.demo_site.site_facts import load_facts
from verdicts.extract.model.records import Comparison
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.normalize.corpus import normalize
from verdicts.pipeline.workers.record_rows import make_record_row

PIECES = (
    *(b"&#x%X;" % code for code in (0, 1, 0x1B, 0x80, 0x9F, 0xAD, 0x202E, 0xD800, 0xDFFF, 0xFFFE, 0xFFFF, 0x10FFFF)),
    *(bytes([code]) for code in (0, 1, 7, 8, 0x0B, 0x0C, 0x1B, 0x1F, 0x7F, 0x80, 0x9B, 0xA0, 0xC0, 0xED, 0xF5, 0xFF)),
    *(b"&#1114112;", b"&#99999999999999999999;", b"&#0;", b"\xed\xa0\x80", b"\xef\xbf\xbd", b"\xef\xbb\xbf"),
    *(b"\xe2\x80\xae", b"\\ud83d", b"\\u0000", b'"\\ud83d"', b"</script>", b"<!--", b"]]>", b"-", b"1e999", b"NaN"),
    *(b"<table><tr><td colspan=9999999999>", "\u0661\u0662\u0663".encode(), "\u00b2\u00bd\u2460".encode()),
    *(b"7" * length for length in (1, 2, 3, 16, 19, 30, 310, 4_400)),
    b"",
)


def mutate(page: bytes, seed: int) -> bytes:
    """The page with a few places cut, overwritten, repeated or filled in, most of them where a field begins."""
    chance = random.Random(seed)
    changed = bytearray(page)
    for _ in range(chance.randrange(1, 12)):
        fields = [place + 1 for place, byte in enumerate(changed) if byte in b'>"0123456789'] or [0]
        place = chance.choice([chance.choice(fields), chance.randrange(len(changed) + 1)])
        again = bytes(changed[place : place + chance.choice([1, 20, 400])]) * chance.choice([2, 20])
        lost = chance.choice([0, 0, 1, 10, 100, 1_000])
        changed[place : place + lost] = chance.choice([chance.choice(PIECES), chance.choice(PIECES), again])
    return bytes(changed)


@cache
def sources() -> dict[str, bytes]:
    """Every rendering of one comparison, and pages of other sites."""
    facts = load_facts()
    pair = facts.pairs[3]
    pages = {name: render(facts, pair) for name, render in RENDERERS.items()}
    others = {path.stem: path.read_bytes() for path in sorted(PAGES.glob("*.html"))}
    return {name: page.encode() for name, page in pages.items()} | others


def hostile(seed: int) -> Snapshot:
    """One of the sources, mutated, at an address of its own: of the site, or of any other."""
    name = sorted(sources())[seed % len(sources())]
    url = f"http://demo.verdicts.example/compare/evil-{seed}-vs-bad-{seed}" if seed % 3 else f"http://b.example/{seed}"
    make = snapshot if name in {"innertext", "quotes"} else html
    return make(mutate(sources()[name], seed), url)


def bystanders() -> list[Snapshot]:
    """Pages of other tools than those of the sources."""
    facts = load_facts()
    theirs = {facts.pairs[3].a, facts.pairs[3].b}
    pairs = [pair for pair in facts.pairs if not {pair.a, pair.b} & theirs][:4]
    return [html(RENDERERS["html_flat"](facts, pair), page_url(pair)) for pair in pairs]


@pytest.mark.parametrize("pages", [40, pytest.param(150, marks=pytest.mark.whole)])
def test_hostile_pages_are_loaded_or_rejected_and_their_neighbours_stay_as_they_are(tmp_path, pages):
    good = observe(*bystanders())
    assert all(isinstance(item.extracted, Comparison) for item in good)
    alone = normalize(good)
    evil = [make_record_row(item).observation for item in observe(*map(hostile, range(pages)))]
    kinds = {type(item.extracted).__name__ for item in evil}
    assert kinds == {"Comparison", "Document", "Reject"}
    corpus = normalize([*good, *evil])
    # Products are found among all tools there are.
    assert {table: set(rows) - set(corpus[table]) for table, rows in alone.items() if table != "products"} == {
        table: set() for table in alone if table != "products"
    }
    load_corpus(tmp_path / "corpus.duckdb", corpus)
    with duckdb.connect(tmp_path / "corpus.duckdb", read_only=True) as connection:
        ((loaded,),) = connection.execute("SELECT count(*) FROM pages").fetchall()
    assert loaded == len(corpus["pages"])
