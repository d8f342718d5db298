"""The examples tell what the corpus of the demo site says."""

import importlib.util

import pytest

from builders.command import find_published_file
from builders.paths import ROOT


@pytest.mark.whole
def test_every_number_and_every_mark_of_the_analysis_is_an_answer_of_the_corpus(night):
    home, _ = night
    spec = importlib.util.spec_from_file_location("hard_to_please", ROOT / "examples" / "hard_to_please.py")
    analysis = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(analysis)
    made = analysis.made_from(find_published_file(home / "data"))
    assert len(made) == 3
    for name, words in made.items():
        written = (ROOT / "examples" / name).read_text(encoding="utf-8")
        assert written == words, "run: uv run python examples/hard_to_please.py $(uv run verdicts path)"
