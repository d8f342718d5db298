"""Tools, their histories, prices and products are the same whether all nights are read at once or one by one."""

from dataclasses import replace
from random import Random

import pytest

from builders.page_nights import BY_TOOL, Rounds, batch_rows, keyed
from builders.small_nights import Night, SmallNights, small_nights
from normalize.identity.known_tool import TOOLS
from normalize.judged_reviews import DOUBTS
from normalize.rows import ranges
from normalize.rows.tool_reports import REPORTS, TOOL_STATES

SEEDS = range(4)
SMALL = {"appearances": 300, "nights": 8, "pages": (3, 10)}
PRICES = ("Free", "Free / $10/mo", "$10/mo", "$20/mo", None)
WORDS = ("Acme Coder", "Acme Coder 2", "Acme Coders", "Code Agent Kit", "Code Agent Kit by Acme")


def changing(night: Night, chance: Random) -> Night:
    """The night with cards and prices that change, as sites of another sort have them."""
    observations = []
    for item in night.observations:
        comparison = item.extracted
        cards = tuple(
            replace(
                card,
                name=chance.choice(WORDS) if chance.random() < 0.3 else card.name,
                description=chance.choice((card.description, None, "Other words.", "Still others.")),
                category=chance.choice((card.category, None, "Agents")),
            )
            for card in comparison.cards
        )
        decisions = tuple(replace(column, pricing=chance.choice(PRICES)) for column in comparison.decisions)
        observations.append(replace(item, extracted=replace(comparison, cards=cards, decisions=decisions)))
    return replace(night, observations=observations)


def world(seed):
    chance = Random(seed)
    for night in small_nights(SmallNights(seed=seed, **SMALL)):
        yield changing(night, chance) if seed % 2 else night


@pytest.mark.parametrize("seed", SEEDS)
def test_every_night_leaves_the_rows_of_a_rebuild(seed):
    rounds = Rounds()
    for night in world(seed):
        named = {tool.tool_id: (tool.name, tool.host, tool.slug) for tool in rounds.state.all(TOOLS)}
        rounds.night(night.observations, night.gone, night.moved)
        expected = batch_rows(rounds.observed.values(), night.gone, night.moved)
        for table in (*BY_TOOL, "products"):
            assert rounds.rows[table] == keyed(table, expected.get(table, ())), (night.number, table)
        now = {row.tool_id: (row.name, row.host, row.slug) for row in expected["tools"]}
        assert rounds.tools.renamed == {one for one in now.keys() | named.keys() if now.get(one) != named.get(one)}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_state_after_nights_is_that_of_one_night_with_everything(seed):
    rounds = Rounds()
    for night in world(seed):
        rounds.night(night.observations, night.gone, night.moved)
    at_once = Rounds()
    at_once.night([*rounds.observed.values()][::-1], night.gone, night.moved)
    for relation in (REPORTS, TOOL_STATES, TOOLS):
        assert sorted(map(repr, rounds.state.all(relation))) == sorted(map(repr, at_once.state.all(relation)))


@pytest.mark.parametrize("seed", [1, 3])
def test_prices_that_no_column_holds_are_told_of_the_first_page_of_the_tool(seed, monkeypatch):
    narrow = (ranges.Range("amount", 0, 15),)
    monkeypatch.setattr(ranges, "ranges_of", lambda table: narrow if table == "pricing_tiers" else ())
    rounds, told = Rounds(), set()
    for night in world(seed):
        rounds.night(night.observations, night.gone, night.moved)
        expected = batch_rows(rounds.observed.values(), night.gone, night.moved)
        assert rounds.rows["pricing_tiers"] == keyed("pricing_tiers", expected["pricing_tiers"])
        rows = {(row.page_id, row.tool_id, row.found) for row in expected["discrepancies"] if row.rule == ranges.RULE}
        doubts = [doubt for doubt in rounds.state.all(DOUBTS) if doubt.rule == ranges.RULE]
        now = {(doubt.page_id, doubt.tool_id, doubt.found) for doubt in doubts}
        assert now == rows
        assert rounds.tools.doubted == {page_id for page_id, *_ in now ^ told}
        told = now
    assert told
