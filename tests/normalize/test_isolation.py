"""Normalization that fails on one snapshot leaves out that one, whichever it is, and says which."""

import gc
import random

import pytest

from builders.normalize_pages import dump, observe_page, tool
from verdicts.normalize.corpus import normalize
from verdicts.normalize.isolation import REASON, TooManyFail, find_sound, make_reject
from verdicts.normalize.steps import fold_texts

TOOLS = [tool(f"tool-{number}") for number in range(12)]
SEEN = [observe_page(TOOLS[n % 12], TOOLS[(n + 1 + n // 12) % 12], night=1 + n // 12) for n in range(40)]


def fail_for(*groups):
    """Normalization that fails where all of a group are among what it is given."""

    def attempt(observations):
        given = {item.location for item in observations}
        for group in groups:
            if given.issuperset(item.location for item in group):
                raise ZeroDivisionError(f"by {len(group)}")

    return attempt


@pytest.mark.parametrize("seed", range(8))
def test_what_fails_by_itself_is_left_out_and_nothing_else(seed):
    bad = random.Random(seed).sample(SEEN, seed % 4)
    kept, left_out = find_sound(SEEN, fail_for(*([item] for item in bad)))
    assert {item.observation.location for item in left_out} == {item.location for item in bad}
    assert {item.location for item in kept} == {item.location for item in SEEN} - {item.location for item in bad}


@pytest.mark.parametrize("seed", range(8))
def test_of_those_that_fail_only_together_the_last_one_is_left_out(seed):
    group = random.Random(seed).sample(SEEN, 2 + seed % 3)
    kept, (left_out,) = find_sound(SEEN, fail_for(group))
    assert left_out.observation == max(group, key=find_order(SEEN))
    assert len(kept) == len(SEEN) - 1
    fail_for(group)(kept)


def find_order(observations):
    kept, _ = find_sound(observations, lambda _: None)
    places = {item.location: place for place, item in enumerate(kept)}
    return lambda item: places[item.location]


def test_a_bug_on_every_page_is_no_fault_of_a_page():
    with pytest.raises(TooManyFail, match=r"10 of 40 snapshots cannot be normalized, such as one of https://"):
        find_sound(SEEN, fail_for(*([item] for item in SEEN)))


def test_the_corpus_says_what_was_left_out():
    bad = dump(*TOOLS[:2])
    kept, left_out = find_sound([*SEEN, bad], fail_for([bad]))
    assert {item.location for item in kept} == {item.location for item in SEEN}
    (reject,) = map(make_reject, left_out)
    assert (reject.url, reject.stage, reject.reason) == (bad.url, "normalize", REASON)
    assert reject.detail == "ZeroDivisionError: by 1"


def test_normalization_leaves_the_collector_at_work_even_where_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    normalize([observe_page(tool("alpha"), tool("beta"))])
    assert gc.isenabled()
    monkeypatch.setattr(fold_texts, "fold", None)
    with pytest.raises(TypeError):
        normalize([observe_page(tool("alpha"), tool("beta"))])
    assert gc.isenabled()
