"""Which texts join: the two decide it, and the pages that show both; never what else stands beside them."""

import random
from collections.abc import Sequence
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import quality
from builders.made_articles import renderings
from builders.made_corpora import make_pages
from verdicts.normalize.dedup.deduplicate import Day, fold
from verdicts.normalize.dedup.distinct_texts import MENTION_SCHEMA, distinct_texts
from verdicts.normalize.dedup.mentions import TextIds
from verdicts.normalize.dedup.similar_texts import RUN_LETTERS, WINDOW, components_of, runs_of
from verdicts.normalize.dedup.similarity import THRESHOLDS

ANY_LENGTH = 10_000
LETTERS = st.text(st.sampled_from("abcdeé漢"), max_size=60)
TOOLS = {number: f"{number:032x}" for number in range(1_000)}


def _unlabelled(texts: Sequence[str]) -> pl.DataFrame:
    """Each text on a page of its own, all of the same two tools."""
    return pl.DataFrame(
        [(text, page, 0, 1, 2, None) for page, text in enumerate(texts)], schema=MENTION_SCHEMA, orient="row"
    )


def _reviews(days: Sequence[pl.DataFrame]) -> dict[str, str]:
    """Text id to review id."""
    clusters = fold([Day(day) for day in days], TOOLS)
    return {text_id: clusters.review_id(text_id) for text_id in clusters.texts}


def test_renderings_of_an_article_fold_under_two_tools_that_no_page_tells_apart() -> None:
    made = [*renderings(50, seed=1)]
    (members,) = fold([Day(_unlabelled([item.text for item in made]))], TOOLS).mentions
    measured = quality.pairs([member.canonical.text_id for member in members], [item.article for item in made])
    assert measured.precision == 1
    assert measured.recall >= 0.99


@pytest.mark.once
@given(st.integers(0, 2**32), st.sampled_from([0.0, 0.3, 1.0]), st.randoms(use_true_random=False))
@settings(max_examples=6, deadline=None)
def test_texts_that_have_nothing_in_common_fold_apart_as_they_do_together(seed, labelled, chance) -> None:  # type: ignore[no-untyped-def]  # Hypothesis
    pages = list(make_pages(250, seed=seed, labelled=labelled, takes_a_tool=12))
    chance.shuffle(pages)
    days = [quality.mention_frame(pages[start::3]) for start in range(3)]
    clusters = fold([Day(day) for day in days], TOOLS)
    firsts = components_of(clusters.near)
    component = {text_id: firsts.get(text.number, text.number) for text_id, text in clusters.texts.items()}
    some = {first for first in sorted({*component.values()}) if chance.random() < 0.5}
    chosen = [text for text_id, texts in _texts_by_id(days).items() if component[text_id] in some for text in texts]
    alone = _reviews([day.filter(pl.col("text").is_in(chosen)) for day in days])
    assert alone == {text_id: clusters.review_id(text_id) for text_id in clusters.texts if component[text_id] in some}


def _texts_by_id(days: Sequence[pl.DataFrame]) -> dict[str, set[str]]:
    """The strings of each text."""
    clusters = fold([Day(day) for day in days], TOOLS)
    strings: dict[str, set[str]] = {}
    for day, members in zip(days, clusters.mentions, strict=True):
        for string, member in zip(day["text"], members, strict=True):
            strings.setdefault(member.text_id, set()).add(string)
    return strings


def test_an_edit_joins_however_many_other_takes_of_unknown_tool_stand_under_its_tools() -> None:
    made = [item.text for item in renderings(60, seed=2) if item.way == "main"]
    edit = next(item.text for item in renderings(60, seed=2) if item.way == "edited")
    (members,) = fold([Day(_unlabelled([*made, edit]))], TOOLS).mentions
    assert members[-1].canonical is members[0].canonical


def test_a_take_with_more_edits_than_a_run_leads_to_folds_around_a_few_of_them() -> None:
    words = next(renderings(1, seed=4)).text.split()[:30]
    chance = random.Random(1)
    edits = [[*words[:first], f"edit{first}", *words[first + 1 :]] for first in range(len(words))]
    edits = [[*edit[:second], f"again{second}", *edit[second + 1 :]] for edit in edits for second in range(0, 30, 4)]
    chance.shuffle(edits)
    assert len(edits) > 10 * THRESHOLDS.texts_a_run
    (members,) = fold([Day(_unlabelled([" ".join(edit) for edit in edits]))], TOOLS).mentions
    assert len({member.canonical.text_id for member in members}) <= 5


def test_a_phrase_that_a_whole_site_repeats_costs_the_pair_that_shares_nothing_else() -> None:
    phrase = "sponsored words that the site puts under every take of every one of its reviewers "
    texts = [f"{phrase}{item.text[:80]}" for item in renderings(60, seed=3) if item.way == "main"]
    few = replace(THRESHOLDS, texts_a_run=1)
    (members,) = fold([Day(_unlabelled(texts))], TOOLS, few).mentions
    assert len({member.canonical.text_id for member in members}) == len(texts)


@given(st.text("abcdeé漢", min_size=RUN_LETTERS + WINDOW - 1, max_size=80), LETTERS, LETTERS, LETTERS, LETTERS)
def test_two_texts_that_share_a_stretch_of_letters_share_a_run(
    stretch: str, before: str, after: str, other_before: str, other_after: str
) -> None:
    texts = [f"{before}{stretch}{after}", f"{other_before}{stretch}{other_after}"]
    first, second = (set(runs_of([text], ANY_LENGTH)["run"]) for text in texts)
    assert first & second
    together = runs_of(texts, ANY_LENGTH)
    assert set(together.filter(text=0)["run"]) == first, "what is hashed beside a text changes nothing"
    assert set(together.filter(text=1)["run"]) == second


def test_texts_have_the_ids_that_a_whole_day_gives_them() -> None:
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
