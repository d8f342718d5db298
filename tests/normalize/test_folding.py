"""Which texts join: the two decide it, and the pages that show both; never what else stands beside them."""

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from builders import quality
from builders.made_articles import renderings
from builders.made_corpora import make_pages
from builders.made_observations import mention, mentions_of, reviews_of, unlabelled
from verdicts.normalize.components import joined
from verdicts.normalize.dedup.mentions import distinct_texts
from verdicts.normalize.dedup.similarity import RUN_LETTERS, THRESHOLDS, WINDOW, find_similar, runs_of
from verdicts.normalize.identity.ids import ToolPair

ANY_LENGTH = 10_000
LETTERS = st.text(st.sampled_from("abcdeé漢"), max_size=60)


def test_renderings_of_an_article_fold_under_two_tools_that_no_page_tells_apart() -> None:
    made = [*renderings(50, seed=1)]
    reviews = reviews_of(unlabelled(item.text for item in made))
    measured = quality.pairs(reviews, [item.article for item in made])
    assert measured.precision == 1
    assert measured.recall >= 0.99


@given(st.integers(0, 2**32), st.sampled_from([0.0, 0.3, 1.0]), st.randoms(use_true_random=False))
@settings(max_examples=6, deadline=None)
def test_texts_that_have_nothing_in_common_fold_apart_as_they_do_together(seed, labelled, chance) -> None:  # type: ignore[no-untyped-def]  # Hypothesis
    pages = list(make_pages(250, seed=seed, labelled=labelled, takes_a_tool=12))
    chance.shuffle(pages)
    mentions = [one for start in range(3) for one in mentions_of(pages[start::3], day=f"2026110{start + 1}")]
    texts = distinct_texts(mentions, {})
    similar = find_similar(texts)
    firsts = joined((number, other.number) for number, others in similar.items() for other in others)
    component = {text.text_id: firsts.get(number, number) for number, text in enumerate(texts)}
    some = {first for first in sorted({*component.values()}) if chance.random() < 0.5}
    chosen = [one for one in mentions if component[one.text_id] in some]
    review_of = dict(zip((one.text_id for one in mentions), reviews_of(mentions), strict=True))
    assert reviews_of(chosen) == [review_of[one.text_id] for one in chosen]


def test_an_edit_joins_however_many_other_takes_of_unknown_tool_stand_under_its_tools() -> None:
    made = [item.text for item in renderings(60, seed=2) if item.way == "main"]
    edit = next(item.text for item in renderings(60, seed=2) if item.way == "edited")
    reviews = reviews_of(unlabelled([*made, edit]))
    assert reviews[-1] == reviews[0]


def test_a_take_with_more_edits_than_a_run_leads_to_folds_around_a_few_of_them() -> None:
    words = next(renderings(1, seed=4)).text.split()[:30]
    chance = random.Random(1)
    edits = [[*words[:first], f"edit{first}", *words[first + 1 :]] for first in range(len(words))]
    edits = [[*edit[:second], f"again{second}", *edit[second + 1 :]] for edit in edits for second in range(0, 30, 4)]
    chance.shuffle(edits)
    assert len(edits) > 10 * THRESHOLDS.texts_a_run
    assert len({*reviews_of(unlabelled(" ".join(edit) for edit in edits))}) <= 5


def test_a_phrase_that_a_whole_site_repeats_costs_the_pair_that_shares_nothing_else() -> None:
    phrase = "sponsored words that the site puts under every take of every one of its reviewers "
    texts = [f"{phrase}{item.text[:80]}" for item in renderings(60, seed=3) if item.way == "main"]
    few = replace(THRESHOLDS, texts_a_run=1)
    assert len({*reviews_of(unlabelled(texts), few)}) == len(texts)


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


def test_short_texts_are_told_apart_by_their_tools_and_long_ones_by_their_words() -> None:
    """The two tools of a page without labels own a short text together."""

    def id_of(text: str, tools: ToolPair, label: str | None = None) -> str:
        return mention(text, 1, tools, label).text_id

    fine = id_of("Fine.", ("a", "b"), "a")
    assert id_of("fine !", ("b", "a"), "a") == id_of("Fine.", ("a", "a")) == fine
    together = id_of("Fine.", ("a", "b"))
    assert id_of("Fine.", ("b", "a")) == together
    others = {id_of("Fine.", ("a", "b"), "b"), id_of("Fine.", ("b", "c")), id_of("— — —", ("a", "b"), "a")}
    assert len({fine, together, id_of("", ("a", "b"), "a"), *others}) == 6
    words = "Long enough to be told apart by its words alone, whatever tool it is about. " * 3
    assert len({id_of(words, pair, label) for pair in (("a", "b"), ("b", "c")) for label in (None, "b")}) == 1
