"""Pages whose bytes are anything, through extraction, normalization and load: nothing raises, no neighbour changes."""

import duckdb
import pytest

from builders.byte_mutations import mutated
from builders.paths import PAGES
from builders.redesigns import as_data
from builders.renderings import RENDERERS, page_url
from builders.snapshots import html, observe, snapshot
from builders.warehouse_files import load_corpus
from demo_site.facts import load_facts
from extract.model.records import Comparison
from normalize.corpus import normalize
from pipeline.workers.record_rows import observation_of, record_row

pytestmark = pytest.mark.matrix

FACTS = load_facts()
PAIR = FACTS.pairs[3]
BYSTANDERS = [pair for pair in FACTS.pairs if not {pair.a, pair.b} & {PAIR.a, PAIR.b}][:4]
SOURCES = {
    **{name: render(FACTS, PAIR) for name, render in RENDERERS.items()},
    "data": as_data(FACTS, PAIR),
    **{path.stem: path.read_text(encoding="utf-8") for path in sorted(PAGES.glob("*.html"))},
}
SEEDS = 150


def hostile(seed):
    """A page of one of the sources, mutated, at an address of its own: of the site, or of any other."""
    name = sorted(SOURCES)[seed % len(SOURCES)]
    url = f"http://demo.verdicts.example/compare/evil-{seed}-vs-bad-{seed}" if seed % 3 else f"http://b.example/{seed}"
    make = snapshot if name in {"innertext", "quotes"} else html
    return make(mutated(SOURCES[name].encode(), seed), url)


def test_hostile_pages_are_loaded_or_rejected_and_their_neighbours_stay_as_they_are(tmp_path):
    good = observe(*(html(RENDERERS["html_flat"](FACTS, pair), page_url(pair)) for pair in BYSTANDERS))
    assert all(isinstance(item.extracted, Comparison) for item in good)
    alone = normalize(good)
    evil = [observation_of(*record_row(item)) for item in observe(*map(hostile, range(SEEDS)))]
    kinds = {type(item.extracted).__name__ for item in evil}
    assert kinds == {"Comparison", "Document", "Reject"}
    corpus = normalize([*good, *evil])
    # Products are found among all tools there are.
    assert {table: set(rows) - set(corpus[table]) for table, rows in alone.items() if table != "products"} == {
        table: set() for table in alone if table != "products"
    }
    load_corpus(tmp_path / "corpus.duckdb", corpus)
    with duckdb.connect(tmp_path / "corpus.duckdb", read_only=True) as connection:
        ((pages,),) = connection.execute("SELECT count(*) FROM pages").fetchall()
    assert pages == len(corpus["pages"])
