"""Which texts join: the two decide it, and the pages that show both; never what else stands beside them."""

from dataclasses import replace
from random import Random

from builders.made_corpora import NOISE, make_tools
from builders.made_observations import find_reviews, make_unlabelled, mention
from verdicts.normalize.dedup.similarity import THRESHOLDS
from verdicts.normalize.identity.ids import ToolPair


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
