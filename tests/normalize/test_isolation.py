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


def fail_for(*bad):
    """Normalization that fails where any of these is among what it is given."""

    def attempt(observations):
        if {item.location for item in observations} & {item.location for item in bad}:
            raise ZeroDivisionError("ours")

    return attempt


@pytest.mark.parametrize("seed", range(8))
def test_what_fails_by_itself_is_left_out_and_nothing_else(seed):
    bad = random.Random(seed).sample(SEEN, seed % 4)
    kept, left_out = find_sound(SEEN, fail_for(*bad))
    assert {item.observation.location for item in left_out} == {item.location for item in bad}
    assert {item.location for item in kept} == {item.location for item in SEEN} - {item.location for item in bad}


def test_a_bug_on_every_page_is_no_fault_of_a_page():
    with pytest.raises(TooManyFail, match=r"10 of 40 snapshots cannot be normalized, such as one of https://"):
        find_sound(SEEN, fail_for(*SEEN))


def test_the_corpus_says_what_was_left_out():
    bad = dump(*TOOLS[:2])
    kept, left_out = find_sound([*SEEN, bad], fail_for(bad))
    assert {item.location for item in kept} == {item.location for item in SEEN}
    (reject,) = map(make_reject, left_out)
    assert (reject.url, reject.stage, reject.reason) == (bad.url, "normalize", REASON)
    assert reject.detail == "ZeroDivisionError: ours"


def test_normalization_leaves_the_collector_at_work_even_where_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    normalize([observe_page(tool("alpha"), tool("beta"))])
    assert gc.isenabled()
    monkeypatch.setattr(fold_texts, "fold", None)
    with pytest.raises(TypeError):
        normalize([observe_page(tool("alpha"), tool("beta"))])
    assert gc.isenabled()
