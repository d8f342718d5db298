"""Categories that mean one thing are one group, and the published word stays."""

import pytest

from builders.normalize_pages import labelled, normalized, rows, tool
from verdicts.normalize.parse.names import category_group


@pytest.mark.parametrize(
    ("category", "group"),
    [
        ("Audio & Voice", "Audio & Voice"),
        ("Voice & Audio", "Audio & Voice"),
        ("Audio & Speech", "Audio & Voice"),
        ("speech and audio", "Audio & Voice"),
        ("AUDIO/VOICE", "Audio & Voice"),
        ("Models", "AI Models"),
        ("AI Models", "AI Models"),
        ("AI/ML Models", "AI Models"),
        ("Open Source Models", "Open Source Models"),
        ("Open-Source Models", "Open Source Models"),
        ("Developer Tools", "Developer Tools"),
        ("Developer  tools", "Developer Tools"),
    ],
)
def test_synonyms_and_spellings_are_one_group(category: str, group: str) -> None:
    assert category_group(category) == group


@pytest.mark.parametrize("category", ["Robots & Toys", "toys and robots", "Toys / Robots", "ROBOTS, TOYS"])
def test_a_category_that_nobody_declared_is_folded_into_a_group_of_its_own(category: str) -> None:
    assert category_group(category) == "Robots & Toys"


def test_words_keep_their_usual_spelling() -> None:
    assert category_group("ux & ui design") == "UI Design & UX"
    assert category_group("LLM/devops") == "DevOps & LLM"


def test_words_that_only_contain_a_joint_are_not_cut() -> None:
    assert category_group("Brand Design") == "Brand Design"
    assert category_group("Android") == "Android"


@pytest.mark.parametrize("category", ["—", "&", "日本語"])
def test_any_category_has_a_group(category: str) -> None:
    assert category_group(category) == category


def test_a_tool_has_its_published_category_and_the_group() -> None:
    corpus = normalized(labelled(tool("alpha", category="Voice & Audio"), tool("beta", category="Audio & Speech")))
    assert {(row.category, row.category_group) for row in rows(corpus, "tools")} == {
        ("Voice & Audio", "Audio & Voice"),
        ("Audio & Speech", "Audio & Voice"),
    }


def test_a_tool_without_a_category_has_no_group() -> None:
    corpus = normalized(labelled(tool("alpha", category=None), tool("beta")))
    assert [row.category_group for row in rows(corpus, "tools", slug="alpha")] == [None]
