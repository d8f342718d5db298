"""Pages whose bytes are anything, through extraction, normalization and load: nothing raises, no neighbour changes."""

import duckdb
import pytest

from builders.byte_mutations import bystanders, hostile
from builders.snapshots import observe
from builders.warehouse_files import load_corpus
from verdicts.extract.model.records import Comparison
from verdicts.normalize.corpus import normalize
from verdicts.pipeline.workers.record_rows import record_row

pytestmark = pytest.mark.matrix

SEEDS = 150


def test_hostile_pages_are_loaded_or_rejected_and_their_neighbours_stay_as_they_are(tmp_path):
    good = observe(*bystanders())
    assert all(isinstance(item.extracted, Comparison) for item in good)
    alone = normalize(good)
    evil = [record_row(item).observation for item in observe(*map(hostile, range(SEEDS)))]
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
