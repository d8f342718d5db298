"""Which texts join: the two decide it, and the pages that show both; never what else stands beside them."""

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from builders.made_corpora import NOISE, make_pages, make_tools
from builders.made_observations import find_reviews, make_mentions, make_unlabelled, mention
from verdicts.normalize.components import join_pairs
from verdicts.normalize.dedup.mentions import distinct_texts
from verdicts.normalize.dedup.similarity import THRESHOLDS, find_similar
from verdicts.normalize.identity.ids import ToolPair


@given(st.integers(0, 2**32), st.sampled_from([0.0, 0.3, 1.0]), st.randoms(use_true_random=False))
@settings(max_examples=6, deadline=None)
def test_texts_that_have_nothing_in_common_fold_apart_as_they_do_together(seed, labelled, chance) -> None:  # type: ignore[no-untyped-def]  # Hypothesis
    pages = list(make_pages(250, seed=seed, labelled=labelled, takes_a_tool=12))
    chance.shuffle(pages)
    mentions = [one for start in range(3) for one in make_mentions(pages[start::3], day=f"2026110{start + 1}")]
    texts = distinct_texts(mentions, {})
    similar = find_similar(texts)
    firsts = join_pairs((number, other.number) for number, others in similar.items() for other in others)
    component = {text.text_id: firsts.get(number, number) for number, text in enumerate(texts)}
    some = {first for first in sorted({*component.values()}) if chance.random() < 0.5}
    chosen = [one for one in mentions if component[one.text_id] in some]
    review_of = dict(zip((one.text_id for one in mentions), find_reviews(mentions), strict=True))
    assert find_reviews(chosen) == [review_of[one.text_id] for one in chosen]


def test_an_edit_joins_however_many_other_takes_of_unknown_tool_stand_under_its_tools() -> None:
    made = [tool.takes[0] for tool in make_tools(60, Random(2))]
    reviews = find_reviews(make_unlabelled([*made, NOISE["edit"](made[0], Random(2))]))
    assert reviews[-1] == reviews[0]


def test_a_take_with_more_texts_than_are_compared_folds_around_the_oldest_ones() -> None:
    words = " ".join(make_tools(1, Random(4))[0].takes).split()[:30]
    edits = [[*words[:first], f"edit{first}", *words[first + 1 :]] for first in range(len(words))]
    few = replace(THRESHOLDS, texts_a_tool=3)
    assert len({*find_reviews(make_unlabelled(" ".join(edit) for edit in edits), few)}) == 1


def test_short_texts_are_told_apart_by_their_tools_and_long_ones_by_their_words() -> None:
    """The two tools of a page without labels own a short text together."""

    def find_id(text: str, tools: ToolPair, label: str | None = None) -> str:
        return mention(text, 1, tools, label).text_id

    fine = find_id("Fine.", ("a", "b"), "a")
    assert find_id("fine !", ("b", "a"), "a") == find_id("Fine.", ("a", "a")) == fine
    together = find_id("Fine.", ("a", "b"))
    assert find_id("Fine.", ("b", "a")) == together
    others = {find_id("Fine.", ("a", "b"), "b"), find_id("Fine.", ("b", "c")), find_id("— — —", ("a", "b"), "a")}
    assert len({fine, together, find_id("", ("a", "b"), "a"), *others}) == 6
    words = "Long enough to be told apart by its words alone, whatever tool it is about. " * 3
    assert len({find_id(words, pair, label) for pair in (("a", "b"), ("b", "c")) for label in (None, "b")}) == 1
