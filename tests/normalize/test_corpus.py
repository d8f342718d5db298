"""Laws of the whole of normalization, on corpora made by chance."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from builders.normalize_pages import CAST, address, corpus, page, prose, retold, rows, seen, with_take
from corpus.tables import CORPUS_TABLES, TABLES
from extract.model.records import Comparison, Observation, Reject
from normalize.parse.text import match_key


@st.composite
def _observations(draw: st.DrawFn) -> Observation:
    first, second = sorted(draw(st.permutations(range(len(CAST))))[:2])
    how = st.sampled_from(["as it is", "as it is", "cut", "edited", "renamed"])
    a, b = retold(CAST[first], draw(how)), retold(CAST[second], draw(how))
    url = draw(st.sampled_from([None, address(a, b)]))
    night, second_ = draw(st.integers(1, 4)), draw(st.integers(0, 59))
    if url and draw(st.integers(0, 9)) == 0:
        return seen(Reject("empty", "nothing"), url, night=night, second=second_)
    rendering = draw(st.sampled_from(["html", "innertext", "quotes"]))
    return seen(page(a, b, rendering), url, night=night, second=second_)


LAWS = settings(deadline=None, max_examples=60, derandomize=True)
CORPORA = st.lists(_observations(), min_size=1, max_size=10)


@given(CORPORA, st.randoms(use_true_random=False))
@settings(LAWS)
def test_the_order_and_the_number_of_tellings_do_not_matter(observations: list[Observation], chance: Any) -> None:
    told = corpus(*observations)
    shuffled = [*observations, *observations[:3]]
    chance.shuffle(shuffled)
    assert corpus(*_one_a_place(shuffled)) == corpus(*_one_a_place(observations))
    assert corpus(*_one_a_place(shuffled)) == told or len(_one_a_place(observations)) < len(observations)


def _one_a_place(observations: Sequence[Observation]) -> list[Observation]:
    """The raw store holds one record at a place; two drawn records of the same words would share theirs."""
    kept: dict[Any, Observation] = {}
    for item in sorted(observations, key=lambda item: item.fetched_at):
        kept.setdefault(item.location, item)
    return [item for item in observations if kept[item.location] is item]


@given(CORPORA, st.randoms(use_true_random=False), st.integers(2, 4))
@settings(LAWS)
def test_a_night_may_come_in_any_batches(observations: list[Observation], chance: Any, batches: int) -> None:
    """Each page in one of several crawls of its day instead of one."""
    pages = sorted({item.url for item in observations})
    batch = {url: chance.randrange(batches) for url in pages}
    dealt = [replace(item, crawl_id=f"{item.crawl_id[:9]}02{batch[item.url]:02d}00Z-0001") for item in observations]
    told = [replace(item, crawl_id=f"{item.crawl_id[:9]}020000Z-0001") for item in observations]
    assert corpus(*dealt) == corpus(*told)


@given(CORPORA, st.data())
@settings(LAWS)
def test_folding_what_is_folded_changes_nothing(observations: list[Observation], data: st.DataObject) -> None:
    """The same pages seen again on a later night: no review more, none less, no id another."""
    again = data.draw(st.sets(st.sampled_from(range(len(observations)))))
    later = [
        replace(
            observations[at],
            crawl_id="20261120T013000Z-0001",
            fetched_at=observations[at].fetched_at.replace(day=20),
            location=replace(observations[at].location, segment="later"),
        )
        for at in again
        if observations[at].crawl_id == max(item.crawl_id for item in observations)
    ]
    before, after = corpus(*observations), corpus(*observations, *later)
    assert {row.review_id for row in rows(before, "reviews")} == {row.review_id for row in rows(after, "reviews")}
    assert before["review_aliases"] == after["review_aliases"]


@given(CORPORA)
@settings(LAWS)
def test_no_take_is_lost(observations: list[Observation]) -> None:
    found = corpus(*observations)
    shown = {match_key(row.text) for row in rows(found, "appearances")}
    told = {
        match_key(take.text)
        for item in observations
        if isinstance(item.extracted, Comparison)
        for take in item.extracted.takes
    }
    assert told == shown
    assert sum(row.appearances for row in rows(found, "reviews")) == len(found["appearances"])


@given(CORPORA)
@settings(LAWS)
def test_every_row_has_its_key_and_every_reference_leads_somewhere(observations: list[Observation]) -> None:
    found = corpus(*observations)
    ids = {table: {getattr(row, f"{table[:-1]}_id") for row in found[table]} for table in ("pages", "tools", "reviews")}
    for table in CORPUS_TABLES:
        keys = [tuple(getattr(row, name) for name in TABLES[table].key) for row in found[table]]
        assert keys == sorted(set(keys))
        for name in {"page_id", "tool_id", "review_id"} & set(TABLES[table].column_names):
            there = {getattr(row, name) for row in found[table]} - {None}
            assert there <= ids[f"{name.removesuffix('_id')}s"]
    assert not {row.alias_id for row in rows(found, "tool_aliases")} & ids["tools"]
    assert not {row.old_id for row in rows(found, "review_aliases")} & ids["reviews"]


@given(CORPORA)
@settings(LAWS)
def test_history_has_no_gaps_and_ends_in_the_present(observations: list[Observation]) -> None:
    found = corpus(*observations)
    for table, key in (("tool_history", ("tool_id",)), ("verdict_history", ("page_id", "side"))):
        things: dict[Any, list[Any]] = {}
        for row in rows(found, table):
            things.setdefault(tuple(getattr(row, name) for name in key), []).append(row)
        for states in things.values():
            assert all(
                one.valid_from < two.valid_from and one.valid_to == two.valid_from for one, two in pairwise(states)
            )
            assert states[-1].valid_to is None


@given(CORPORA)
@settings(LAWS)
def test_ids_stay_when_a_later_night_adds_pages(observations: list[Observation]) -> None:
    nights = sorted({item.crawl_id for item in observations})
    before = corpus(*(item for item in observations if item.crawl_id < nights[-1]))
    after = corpus(*observations)
    for table, column, aliases, old in (
        ("reviews", "review_id", "review_aliases", "old_id"),
        ("tools", "tool_id", "tool_aliases", "alias_id"),
    ):
        kept = {getattr(row, column) for row in after[table]} | {getattr(row, old) for row in after[aliases]}
        assert {getattr(row, column) for row in before[table]} <= kept


def test_an_empty_corpus_has_every_table() -> None:
    assert corpus() == dict.fromkeys(CORPUS_TABLES, ())


def test_the_moment_within_a_crawl_decides_nothing() -> None:
    text, other = prose("one"), prose("two")
    a, b = with_take(CAST[0], "Builder", text), CAST[1]
    c = with_take(replace(CAST[0], name="Alpha II"), "Builder", other)
    early = [seen(page(a, b), address(a, b), second=1), seen(page(c, CAST[2]), address(c, CAST[2]), second=50)]
    late = [seen(page(a, b), address(a, b), second=50), seen(page(c, CAST[2]), address(c, CAST[2]), second=1)]
    timeless = {"reviews", "appearances", "attribution_evidence", "tool_cards", "verdicts", "discrepancies"}
    for table in timeless:
        ids = [[_timeless(row) for row in corpus(*told)[table]] for told in (early, late)]
        assert ids[0] == ids[1]


def _timeless(row: Any) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in row.__slots__ if not name.endswith("_at"))
