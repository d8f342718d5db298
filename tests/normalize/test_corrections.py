"""Decisions of people change rows where they say, in any order and partitions, and leave nothing once taken out."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from builders.normalize_pages import (
    CAST,
    HOST,
    REVIEWERS,
    address,
    any_observation,
    dump,
    find_review,
    observe,
    observe_page,
    prose,
    rows,
    tool,
    with_take,
)
from builders.partitioned import normalize_in_partitions
from verdicts.corpus.enumerations import Claim
from verdicts.extract.model.records import Document, Observation, SideBySide
from verdicts.normalize.corpus import Corpus, normalize
from verdicts.normalize.corrections import Correction
from verdicts.normalize.identity.ids import make_name_id, make_slug_id
from verdicts.normalize.parse.match_keys import fold_name

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
ALPHA, BETA, GAMMA = tool("alpha"), tool("beta"), tool("gamma", category="Audio & Speech")
SHELF = "https://shelf.example/list"


def shelf(claim: Claim, *names: str) -> Observation:
    """A page of another site that names these tools."""
    named = SideBySide("table", names, (), (), claim)
    return observe(Document("A list", None, None, "Words.", named), SHELF)


def correct(kind: Any, table: str, key: dict[str, Any], column: str, value: Any, **more: Any) -> Correction:
    return Correction(kind, table, (*key.items(),), column, value, "Ada", NOON, "she looked", **more)


def make_id(slug: str, host: str = HOST) -> str:
    return make_slug_id(host, slug)


def same_tools(goes: str, stays: str) -> Correction:
    return correct("same", "tools", {"tool_id": goes}, "tool_id", stays)


def different(table: str, first: str, second: str) -> Correction:
    column = "tool_id" if table == "tools" else "review_id"
    return correct("different", table, {column: min(first, second)}, column, max(first, second))


def same_takes(goes: str, stays: str) -> Correction:
    return correct("same", "reviews", {"review_id": goes}, "review_id", stays)


def assign_tool(take: str, tool_id: str | None) -> Correction:
    return correct("review", "reviews", {"review_id": take}, "tool_id", tool_id)


def normalize_everywhere(seen: Sequence[Observation], *corrections: Correction) -> Corpus:
    """The rows, which are those of several partitions and of another order too."""
    corpus = normalize(seen, corrections=corrections)
    for partitions in (2, 7):
        assert normalize_in_partitions(seen[::-1], partitions, corrections=corrections[::-1] * 2) == corpus
    return corpus


def outcomes(corpus: Corpus) -> list[str]:
    return [row.outcome for row in corpus["corrections"]]


def outcome(corpus: Corpus, one: Correction) -> Any:
    (row,) = rows(corpus, "corrections", correction_id=one.id)
    return row


PAGES = [observe_page(ALPHA, GAMMA), observe_page(BETA, GAMMA), dump(ALPHA, BETA, night=2)]


def test_a_tool_that_is_another_one_gives_it_its_pages_and_takes_and_no_name():
    merged = same_tools(make_id("beta"), make_id("alpha"))
    before, after = normalize_everywhere(PAGES), normalize_everywhere(PAGES, merged)
    assert rows(after, "tools", tool_id=make_id("beta")) == []
    (alpha,) = rows(after, "tools", tool_id=make_id("alpha"))
    assert (alpha.name, alpha.slug) == ("Alpha", "alpha")
    (alias,) = rows(after, "tool_aliases", alias_id=make_id("beta"))
    assert (alias.tool_id, alias.name) == (make_id("alpha"), "Beta")
    # Only corrections name people: all other tables may be published.
    assert alias.reason == f"a person says so (correction {merged.id[:12]})"
    assert {row.page_id for row in after["pages"]} == {row.page_id for row in before["pages"]}
    assert {row.review_id for row in after["reviews"]} == {row.review_id for row in before["reviews"]}
    assert {find_review(after, text).tool_id for text, *_ in BETA.takes.values()} == {make_id("alpha")}
    told = outcome(after, merged)
    assert (told.outcome, told.value_before, told.value_after) == ("applied", make_id("beta"), make_id("alpha"))
    assert told.subject == "Beta is Alpha"


def test_a_short_take_of_two_tools_is_one_take_once_the_tools_are_one():
    words = "Short, and shared."
    pages = [observe_page(with_take(of, "Builder", words), GAMMA) for of in (ALPHA, BETA)]
    texts = {row.text_id for row in rows(normalize_everywhere(pages), "appearances", text=words)}
    after = normalize_everywhere(pages, same_tools(make_id("beta"), make_id("alpha")))
    assert {row.text_id for row in rows(after, "appearances", text=words)} == texts
    assert len(texts) == 2
    assert len({row.review_id for row in rows(after, "appearances", text=words)}) == 1


def test_a_tool_goes_at_last_where_those_go_that_it_goes_into():
    chain = [same_tools(make_id("beta"), make_id("alpha")), same_tools(make_id("alpha"), make_id("gamma"))]
    after = normalize_everywhere(PAGES, *chain)
    assert [row.tool_id for row in after["tools"]] == [make_id("gamma")]
    assert outcomes(after) == ["applied", "applied"]
    circle = normalize_everywhere(PAGES, *chain, same_tools(make_id("gamma"), make_id("beta")))
    assert outcomes(circle) == ["contradicts"] * 3
    assert circle["tools"] == normalize_everywhere(PAGES)["tools"]


def test_a_renamed_slug_and_a_claimed_name_are_other_tools_if_a_person_says_so():
    renamed = replace(ALPHA, slug="alpha-next")
    seen = [observe_page(ALPHA, GAMMA), observe_page(renamed, GAMMA, night=2)]
    moved = {address(ALPHA, GAMMA): address(renamed, GAMMA)}
    apart = different("tools", make_id("alpha"), make_id("alpha-next"))
    assert {row.slug for row in normalize(seen, moved_urls=moved)["tools"]} == {"alpha-next", "gamma"}
    after = normalize(seen, moved_urls=moved, corrections=[apart])
    assert {row.slug for row in after["tools"]} == {"alpha", "alpha-next", "gamma"}
    assert outcomes(after) == ["applied"]

    name = make_name_id(fold_name(ALPHA.name), fold_name(str(ALPHA.tagline)))
    dumped = [observe_page(ALPHA, GAMMA), dump(ALPHA, BETA)]
    after = normalize_everywhere(dumped, different("tools", make_id("alpha"), name))
    assert rows(after, "tools", tool_id=name)
    assert outcomes(after) == ["applied"]


def test_tools_of_one_product_are_suggested_no_more_if_a_person_says_so():
    first, second = (tool(slug, name="Vercel AI SDK 5") for slug in ("vercel-ai-sdk-5", "vercel-ai-sdk-5-beta"))
    seen = [observe_page(first, GAMMA), observe_page(second, GAMMA)]
    assert len(normalize_everywhere(seen)["products"]) == 2
    apart = different("tools", make_id(first.slug), make_id(second.slug))
    after = normalize_everywhere(seen, apart)
    assert (after["products"], outcomes(after)) == ((), ["applied"])


def test_takes_that_look_alike_are_one_or_are_not_as_a_person_says():
    words = prose("one", 40).split()
    other = " ".join([*words[:24], *prose("two", 16).split()])
    seen = [
        observe_page(with_take(ALPHA, "Builder", " ".join(words)), GAMMA),
        dump(BETA, with_take(ALPHA, "Builder", other)),
    ]
    before = normalize_everywhere(seen)
    (pair,) = before["lookalikes"]
    joined = same_takes(pair.other_review_id, pair.review_id)
    after = normalize_everywhere(seen, joined)
    assert after["lookalikes"] == ()
    (alias,) = after["review_aliases"]
    assert (alias.old_id, alias.review_id) == (pair.other_review_id, pair.review_id)
    assert alias.reason == f"a person says so (correction {joined.id[:12]})"
    assert len(after["reviews"]) == len(before["reviews"]) - 1

    apart = different("reviews", pair.review_id, pair.other_review_id)
    after = normalize_everywhere(seen, apart)
    assert (after["lookalikes"], after["reviews"], outcomes(after)) == ((), before["reviews"], ["applied"])
    assert outcomes(normalize_everywhere(seen, apart, joined)) == ["contradicts", "contradicts"]


def test_takes_without_any_likeness_are_one_if_a_person_says_so():
    before = normalize_everywhere(PAGES)
    goes, stays, other = (row.review_id for row in before["reviews"][:3])  # type: ignore[union-attr]
    after = normalize_everywhere(PAGES, same_takes(goes, stays), different("reviews", stays, other))
    assert [(row.old_id, row.review_id) for row in after["review_aliases"]] == [(goes, stays)]  # type: ignore[union-attr]
    assert sorted(outcomes(after)) == ["agrees", "applied"]


def test_a_take_is_about_the_tool_that_a_person_names_with_its_reviewer_and_score():
    (text, score, verdict), *_ = ALPHA.takes.values()
    take = find_review(normalize_everywhere(PAGES), text)
    moved = assign_tool(take.review_id, make_id("gamma"))
    after = normalize_everywhere(PAGES, moved)
    review = find_review(after, text)
    assert (review.tool_id, review.reviewer, review.score, review.verdict) == (
        make_id("gamma"),
        REVIEWERS[0],
        score,
        verdict,
    )
    assert (review.attribution, review.confidence) == ("corrected", 1.0)
    assert {row.attribution for row in rows(after, "appearances", review_id=review.review_id)} == {"corrected"}
    (reason,) = rows(after, "attribution_evidence", review_id=review.review_id)
    assert f"a person says so (correction {moved.id[:12]}); without it: Alpha (observed)" == reason.detail
    told = outcome(after, moved)
    assert (told.outcome, told.value_before, told.value_after) == ("applied", make_id("alpha"), make_id("gamma"))
    assert {take.review_id, make_id("alpha"), make_id("gamma")} < {*told.about}

    assert outcomes(normalize_everywhere(PAGES, assign_tool(take.review_id, make_id("alpha")))) == ["agrees"]
    assert outcomes(normalize_everywhere(PAGES, assign_tool("0" * 32, make_id("alpha")))) == ["gone"]
    assert outcomes(normalize_everywhere(PAGES, assign_tool(take.review_id, "0" * 32))) == ["gone"]
    contradicting = normalize_everywhere(PAGES, moved, assign_tool(take.review_id, make_id("beta")))
    assert outcomes(contradicting) == ["contradicts", "contradicts"]
    assert contradicting["reviews"] == normalize_everywhere(PAGES)["reviews"]


def test_a_take_of_a_tool_that_went_into_another_is_of_that_one():
    (text, *_), *_ = GAMMA.takes.values()
    take = assign_tool(find_review(normalize_everywhere(PAGES), text).review_id, make_id("beta"))
    after = normalize_everywhere(PAGES, take, same_tools(make_id("beta"), make_id("alpha")))
    assert find_review(after, text).tool_id == make_id("alpha")
    assert outcomes(after) == ["applied", "applied"]


def test_what_is_no_take_leaves_no_row_but_its_correction():
    (text, *_), *_ = ALPHA.takes.values()
    take = find_review(normalize_everywhere(PAGES), text).review_id
    after = normalize_everywhere(PAGES, assign_tool(take, None))
    left = [table for table, of_table in after.items() if take in repr(of_table) or text in repr(of_table)]
    assert left == ["corrections"]
    assert after["corrections"][0].detail == f"left out: {text}"  # type: ignore[union-attr]


def test_a_value_is_the_one_that_a_person_saw_while_the_row_is_as_she_saw_it():
    seen = [observe_page(replace(ALPHA, pricing="About $20ish"), GAMMA)]
    (tier,) = rows(normalize_everywhere(seen), "pricing_tiers", tool_id=make_id("alpha"))
    key = {"tool_id": tier.tool_id, "tier_number": tier.tier_number, "raw": tier.raw}
    price = correct("value", "pricing_tiers", key, "amount", 25.0, was=tier.amount)
    after = normalize_everywhere(seen, price)
    assert [row.amount for row in rows(after, "pricing_tiers", tool_id=make_id("alpha"))] == [25.0]
    later = [*seen, observe_page(replace(ALPHA, pricing="About $30ish"), GAMMA, night=2)]
    assert outcomes(normalize_everywhere(later, price)) == ["gone"]
    assert normalize_everywhere(later, price)["pricing_tiers"] == normalize_everywhere(later)["pricing_tiers"]
    other = correct("value", "pricing_tiers", key, "amount", 26.0, was=tier.amount)
    assert outcomes(normalize_everywhere(seen, price, other)) == ["contradicts", "contradicts"]
    assert outcomes(
        normalize_everywhere(seen, correct("value", "pricing_tiers", key, "amount", tier.amount, was=7.0))
    ) == ["agrees"]
    looked = correct("value", "pricing_tiers", key, "amount", tier.amount, was=tier.amount)
    assert outcomes(normalize_everywhere(seen, looked)) == ["applied"]


def test_a_corrected_name_and_category_are_those_of_all_rows_made_of_them():
    key = {"tool_id": make_id("gamma")}
    name = correct("value", "tools", key, "name", "Claude Code by Anthropic", was="Gamma")
    category = correct("value", "tools", key, "category", "Robots", was="Audio & Speech")
    after = normalize_everywhere([*PAGES, shelf("describes", "Claude Code by Anthropic")], name, category)
    (gamma,) = rows(after, "tools", **key)
    assert (gamma.name, gamma.category, gamma.category_group) == ("Claude Code by Anthropic", "Robots", "Robots")
    assert [row.tool_id for row in after["product_candidates"]] == [make_id("gamma")]
    assert {row.name for row in rows(after, "tool_cards", **key)} == {"Gamma"}


def test_all_spellings_of_a_category_are_in_the_group_that_a_person_names():
    seen = [*PAGES, observe_page(ALPHA, tool("delta", category="Speech and audio"))]
    group = correct("category", "tools", {"category": "audio & speech"}, "category_group", "Sound")
    after = normalize_everywhere(seen, group)
    assert {row.slug for row in rows(after, "tools", category_group="Sound")} == {"gamma", "delta"}
    told = outcome(after, group)
    assert (told.outcome, told.value_before, told.rows_changed) == ("applied", "Audio & Voice", 2)


def test_a_tool_of_another_site_is_the_one_of_the_panel_that_a_person_names_or_none():
    seen = [*PAGES, shelf("compares", "Alpha", "The Greek letter")]
    greek = correct(
        "outside", "product_candidates", {"url": SHELF, "name": "The Greek letter"}, "tool_id", make_id("beta")
    )
    none = correct("outside", "product_candidates", {"url": SHELF, "name": "Alpha"}, "tool_id", None)
    after = normalize_everywhere(seen, greek, none)
    found = {row.tool_number: (row.tool_id, row.decision, row.reason) for row in after["product_candidates"]}
    assert found == {0: (None, "none", "corrected"), 1: (make_id("beta"), "merged", "corrected")}
    assert outcome(after, none).value_before == make_id("alpha")
    mentioned = {row.name: (row.tool_id, row.known_by) for row in after["mentions"] if row.known_by != "panel"}
    assert mentioned == {"Alpha": (None, None), "The Greek letter": (make_id("beta"), "corrected")}


TARGETS = [*map(make_id, ("alpha", "beta", "gamma", "delta", "epsilon", "zeta"))]


@st.composite
def any_corrections(draw: st.DrawFn, takes: Sequence[str]) -> list[Correction]:
    """Some of all kinds, whose targets may be there or not; tools go into later ones, so there is no circle."""
    some: list[Correction] = []
    for _ in range(draw(st.integers(1, 6))):
        first, second = sorted(draw(st.permutations(range(len(TARGETS))))[:2])
        take, other = draw(st.permutations(sorted(takes)))[:2]
        some.append(
            draw(
                st.sampled_from(
                    [
                        same_tools(TARGETS[first], TARGETS[second]),
                        different("tools", TARGETS[first], TARGETS[second]),
                        same_takes(min(take, other), max(take, other)),
                        different("reviews", take, other),
                        assign_tool(take, TARGETS[first]),
                        assign_tool(take, None),
                        correct("value", "tools", {"tool_id": TARGETS[first]}, "entry", "Paid", was="Free"),
                        correct("value", "reviews", {"review_id": take}, "score", 1, was=80),
                        correct("category", "tools", {"category": "developer tools"}, "category_group", "Tools"),
                    ]
                )
            )
        )
    return some


@given(st.lists(any_observation(CAST, (HOST, HOST, "mirror.example")), min_size=3, max_size=9), st.data())
@settings(derandomize=True)
def test_any_corrections_commute_and_are_the_same_in_any_partitions(
    seen: list[Observation], data: st.DataObject
) -> None:
    seen = [*{item.location: item for item in seen}.values()]
    before = normalize(seen)
    takes = [row.text_id for row in before["appearances"]]  # type: ignore[union-attr]
    some = data.draw(any_corrections({*takes, "0" * 32, "f" * 32}))  # type: ignore[arg-type]
    after = normalize_everywhere(seen, *some)
    assert len(after["corrections"]) == len({one.id for one in some})
    known = {row.tool_id for row in after["tools"]}  # type: ignore[union-attr]
    assert {row.tool_id for row in after["reviews"]} <= known  # type: ignore[union-attr]
    reviews = {row.review_id for row in after["reviews"]}  # type: ignore[union-attr]
    assert {row.review_id for row in after["review_aliases"]} <= reviews  # type: ignore[union-attr]
    assert {row.review_id for row in after["appearances"]} == reviews  # type: ignore[union-attr]
    changed = {row.outcome for row in after["corrections"]} & {"applied"}  # type: ignore[union-attr]
    assert changed or {**after, "corrections": ()} == before
