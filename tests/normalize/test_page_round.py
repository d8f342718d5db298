"""Pages, cards, verdicts and contradictions are the same whether all nights are read at once or one by one."""

from dataclasses import replace

import polars as pl
import pytest

from builders.batch_pages import read_page_versions, standing_versions
from builders.identity_oracle import all_identities
from builders.page_nights import BY_PAGE, Rounds, batch_rows, keyed
from builders.small_nights import SmallNights, small_nights
from normalize.dedup.distinct_texts import MENTION_SCHEMA, distinct_texts
from normalize.dedup.mention_records import MENTIONS, TextIds
from normalize.identity.tool_days import TOOL_DAYS
from normalize.identity.version_head import VERSIONS
from normalize.judged_reviews import DOUBTS
from normalize.rows.page_round import page_round

SEEDS = range(4)
SMALL = {"appearances": 300, "nights": 8, "pages": (3, 10)}


def doubts(state):
    """What the state has of contradictions, as the table is keyed."""
    return {(doubt.page_id, doubt.rule, doubt.expected, doubt.found): doubt.tool_id for doubt in state.all(DOUBTS)}


@pytest.mark.parametrize("seed", SEEDS)
def test_every_night_leaves_the_rows_of_a_rebuild(seed):
    rounds = Rounds()
    for night in small_nights(SmallNights(seed=seed, **SMALL)):
        rounds.night(night.observations, night.gone, night.moved)
        expected = batch_rows(rounds.observed.values(), night.gone, night.moved)
        for table in BY_PAGE:
            assert rounds.rows[table] == keyed(table, expected.get(table, ())), (night.number, table)
        told = keyed("discrepancies", expected.get("discrepancies", ()))
        assert doubts(rounds.state) == {key: row.tool_id for key, row in told.items()}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_state_after_nights_is_that_of_one_night_with_everything(seed):
    rounds = Rounds()
    for night in small_nights(SmallNights(seed=seed, **SMALL)):
        before = {*map(mention_of, rounds.state.all(MENTIONS))}
        rounds.night(night.observations, night.gone, night.moved)
        now = {*map(mention_of, rounds.state.all(MENTIONS))}
        assert rounds.delta.texts == {text_id for text_id, *_ in before ^ now}
    at_once = Rounds()
    at_once.night([*rounds.observed.values()][::-1], night.gone, night.moved)
    for relation in (VERSIONS, MENTIONS, TOOL_DAYS, DOUBTS):
        assert sorted(map(repr, rounds.state.all(relation))) == sorted(map(repr, at_once.state.all(relation)))


def mention_of(mention):
    return mention.text_id, mention.version, repr(mention.take), mention.label


@pytest.mark.parametrize("seed", SEEDS)
def test_versions_and_takes_are_those_of_a_batch(seed):
    rounds = Rounds()
    for night in small_nights(SmallNights(seed=seed, **SMALL)):
        rounds.night(night.observations, night.gone, night.moved)
    versions, _ = read_page_versions(rounds.observed.values(), moved_urls=night.moved)
    standing = standing_versions(versions, night.gone)
    heads = sorted(rounds.state.all(VERSIONS), key=lambda head: head.freshness)
    assert [(head.location, head.tool_ids, head.ingest_day, head.freshness) for head in heads] == [
        (version.location, version.tool_ids, version.ingest_day, version.freshness) for version in versions
    ]
    assert [number for number, head in enumerate(heads) if head.is_standing] == sorted(standing)
    takes = {(mention.version.location, mention.take.position): mention for mention in rounds.state.all(MENTIONS)}
    for version in versions:
        for take in version.comparison.takes:
            mention = takes.pop((version.location, take.position))
            assert mention.take == take
            assert mention.label == (take.side and version.tool(take.side))
    assert takes == {}


def test_a_page_whose_snapshots_show_another_page_now_disappears():
    nights = iter(small_nights(SmallNights(seed=1, **SMALL)))
    rounds = Rounds()
    night = next(nights)
    rounds.night(night.observations, (), {})
    identities, _ = all_identities(rounds.observed.values(), {})
    gone = next(iter(identities.values())).page_id
    rounds.observed = {place: item for place, item in rounds.observed.items() if identities[place].page_id != gone}
    rounds.night((), (), {})
    assert gone in rounds.pages
    assert gone not in rounds.rows["pages"]
    assert gone not in {mention.page_id for mention in rounds.state.all(MENTIONS)}


def test_texts_have_the_ids_that_a_whole_day_gives_them():
    """Short ones are their tool's; the two tools of a page without labels own one together."""
    short = ("Fine.", "— — —", "", "Fine!")
    versions = [("a", "b"), ("b", "a"), ("a", "a"), ("b", "c")]
    words = [*short, "Long enough to be told apart by its words alone, whatever tool it is about. " * 3]
    takes = [(text, pair, label) for text in words for pair in versions for label in (None, *pair)]
    numbers = {"a": 3, "b": 1, "c": 2}
    frame = pl.DataFrame(
        [
            (text, number, None, *(numbers[tool] for tool in pair), None if label is None else numbers[label])
            for number, (text, pair, label) in enumerate(takes)
        ],
        schema=MENTION_SCHEMA,
        orient="row",
    )
    day = distinct_texts(frame, {number: tool for tool, number in numbers.items()})
    ids = TextIds()
    assert [day.texts[index].text_id for index in day.text_indexes] == [ids.of(*take) for take in takes]


def test_a_take_that_is_another_now_tells_of_both_texts():
    rounds = Rounds()
    night = next(iter(small_nights(SmallNights(seed=1, **SMALL))))
    first = next(item for item in night.observations if item.extracted.rendering == "html")
    rounds.night([first], (), {})
    before = {mention.take.position: mention.text_id for mention in rounds.state.all(MENTIONS)}
    takes = first.extracted.takes
    other = replace(takes[0], text="It reads like something else altogether. " * 4)
    again = replace(first, extracted=replace(first.extracted, takes=(other, *takes[1:])))
    (page_id,) = rounds.pages
    delta = page_round(rounds.state, {page_id}, lambda _: [again])
    after = {mention.take.position: mention.text_id for mention in rounds.state.all(MENTIONS)}
    assert delta.texts == {before[0], after[0]}
    assert delta.tools == frozenset()
