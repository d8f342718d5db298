"""Laws of the whole of normalization, on corpora made by chance."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from builders.normalize_pages import (
    CAST,
    address,
    any_observation,
    normalize_all,
    observe,
    page,
    prose,
    rows,
    with_take,
)
from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.extract.model.records import Comparison, Observation
from verdicts.fetch.model.snapshot import Location
from verdicts.normalize.parse.match_keys import match_key

LAWS = settings(derandomize=True)
CORPORA = st.lists(any_observation(), min_size=1, max_size=10)


@given(CORPORA, st.randoms(use_true_random=False), st.integers(2, 4))
@settings(LAWS)
def test_a_night_may_come_in_any_batches(observations: list[Observation], chance: Any, batches: int) -> None:
    """Each page in one of several crawls of its day instead of one."""
    pages = sorted({item.url for item in observations})
    batch = {url: chance.randrange(batches) for url in pages}
    scanned = [replace(item, crawl_id=f"{item.crawl_id[:9]}02{batch[item.url]:02d}00Z-0001") for item in observations]
    undivided = [replace(item, crawl_id=f"{item.crawl_id[:9]}020000Z-0001") for item in observations]
    assert normalize_all(*scanned) == normalize_all(*undivided)


@given(CORPORA, st.data())
@settings(LAWS)
def test_pages_crawled_again_change_no_review(observations: list[Observation], data: st.DataObject) -> None:
    """The same pages observed again on a later night: no review is added, lost or given another id."""
    again = data.draw(st.sets(st.sampled_from(range(len(observations)))))
    later = [
        replace(
            observations[index],
            crawl_id="20261120T013000Z-0001",
            fetched_at=observations[index].fetched_at.replace(day=20),
            location=Location("later", observations[index].location.offset),
        )
        for index in again
        if observations[index].crawl_id == max(item.crawl_id for item in observations)
    ]
    before, after = normalize_all(*observations), normalize_all(*observations, *later)
    assert {row.review_id for row in rows(before, "reviews")} == {row.review_id for row in rows(after, "reviews")}
    assert before["review_aliases"] == after["review_aliases"]


@given(CORPORA)
@settings(LAWS)
def test_no_take_is_lost(observations: list[Observation]) -> None:
    corpus = normalize_all(*observations)
    shown = {match_key(row.text) for row in rows(corpus, "appearances")}
    extracted = {
        match_key(take.text)
        for item in observations
        if isinstance(item.extracted, Comparison)
        for take in item.extracted.takes
    }
    assert extracted == shown
    assert sum(row.appearances for row in rows(corpus, "reviews")) == len(corpus["appearances"])


@given(CORPORA)
@settings(LAWS)
def test_every_row_has_its_key_and_every_reference_leads_somewhere(observations: list[Observation]) -> None:
    corpus = normalize_all(*observations)
    ids = {
        table: {getattr(row, f"{table[:-1]}_id") for row in corpus[table]} for table in ("pages", "tools", "reviews")
    }
    for table in CORPUS_TABLES:
        keys = [tuple(getattr(row, name) for name in TABLES[table].key) for row in corpus[table]]
        assert keys == sorted(set(keys))
        for name in {"page_id", "tool_id", "review_id"} & set(TABLES[table].column_names):
            referenced = {getattr(row, name) for row in corpus[table]} - {None}
            assert referenced <= ids[f"{name.removesuffix('_id')}s"]
    assert not {row.alias_id for row in rows(corpus, "tool_aliases")} & ids["tools"]
    assert not {row.old_id for row in rows(corpus, "review_aliases")} & ids["reviews"]


@given(CORPORA)
@settings(LAWS)
def test_history_has_no_gaps_and_ends_in_the_present(observations: list[Observation]) -> None:
    corpus = normalize_all(*observations)
    for table, key in (("tool_history", ("tool_id",)), ("verdict_history", ("page_id", "side"))):
        things: dict[Any, list[Any]] = {}
        for row in rows(corpus, table):
            things.setdefault(tuple(getattr(row, name) for name in key), []).append(row)
        for states in things.values():
            assert all(
                earlier.valid_from < later.valid_from and earlier.valid_to == later.valid_from
                for earlier, later in pairwise(states)
            )
            assert states[-1].valid_to is None


@given(CORPORA)
@settings(LAWS)
def test_ids_stay_when_a_later_night_adds_pages(observations: list[Observation]) -> None:
    nights = sorted({item.crawl_id for item in observations})
    before = normalize_all(*(item for item in observations if item.crawl_id < nights[-1]))
    after = normalize_all(*observations)
    for table, column, aliases, old in (
        ("reviews", "review_id", "review_aliases", "old_id"),
        ("tools", "tool_id", "tool_aliases", "alias_id"),
    ):
        kept = {getattr(row, column) for row in after[table]} | {getattr(row, old) for row in after[aliases]}
        assert {getattr(row, column) for row in before[table]} <= kept


def test_an_empty_corpus_has_every_table() -> None:
    assert normalize_all() == dict.fromkeys(CORPUS_TABLES, ())


def test_the_moment_within_a_crawl_decides_nothing() -> None:
    text, other = prose("one"), prose("two")
    a, b = with_take(CAST[0], "Builder", text), CAST[1]
    c = with_take(replace(CAST[0], name="Alpha II"), "Builder", other)
    early = [observe(page(a, b), address(a, b), second=1), observe(page(c, CAST[2]), address(c, CAST[2]), second=50)]
    late = [observe(page(a, b), address(a, b), second=50), observe(page(c, CAST[2]), address(c, CAST[2]), second=1)]
    timeless = {"reviews", "appearances", "attribution_evidence", "tool_cards", "verdicts", "discrepancies"}
    for table in timeless:
        ids = [[_timeless(row) for row in normalize_all(*observations)[table]] for observations in (early, late)]
        assert ids[0] == ids[1]


def _timeless(row: Any) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in row.__slots__ if not name.endswith("_at"))
