"""The story of a review: its wordings word by word, the evidence, what speaks against it."""

from pathlib import Path

import pytest

from builders.normalize_pages import address, dump, labelled, normalized, observed, prose, tool, with_take
from builders.normalize_pages import page as compared
from builders.warehouse_files import load_corpus
from verdicts.reading.story import story_of, word_diff

ALPHA, BETA, GAMMA = tool("alpha"), tool("beta"), tool("gamma")
TAKE = ALPHA.takes["Builder"][0]


def test_other_words_are_marked_and_long_runs_left_out() -> None:
    words = [f"w{at}" for at in range(40)]
    edited = [*words[:20], "new", *words[21:]]
    assert word_diff(" ".join(words), " ".join(edited)) == (
        "… w14 w15 w16 w17 w18 w19 [-w20-] {+new+} w21 w22 w23 w24 w25 w26 …"
    )


def test_a_cut_take_shows_where_it_ends() -> None:
    assert word_diff("one two three four", "one two…") == "one [-two three four-] {+two…+}"


def test_white_space_alone_is_said_so() -> None:
    assert word_diff("one two", "one  two") == "the same words; only white space differs"


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> str:
    cut = with_take(ALPHA, "Builder", TAKE[: len(TAKE) // 2] + "…")
    edited = with_take(ALPHA, "Builder", TAKE.replace(TAKE.split()[9], "altogether", 1))
    found = normalized(
        labelled(ALPHA, BETA),
        dump(cut, GAMMA),
        observed(compared(edited, tool("delta"), "quotes"), address(edited, tool("delta"))),
    )
    path = tmp_path_factory.mktemp("story") / "corpus.duckdb"
    load_corpus(path, dict(found), crawls=(), fetches=())
    (review,) = {row.review_id for row in found["appearances"] if row.text == TAKE}  # type: ignore[union-attr]  # appearances
    return str(story_of(path, Path("nowhere"), review))


def test_every_wording_stands_with_its_match_and_its_differences(story: str) -> None:
    assert "1 of 3, on 1 page\nwords           the words above" in story
    assert "prefix (" in story
    assert f"[-{TAKE.split()[9]}-] {{+altogether+}}" in story


def test_every_page_is_evidence_with_its_weight(story: str) -> None:
    assert (
        "because         observed\nevidence        stands labelled Builder 80/100 ship on this page\n"
        "weight          1.0" in story
    )
    assert story.count("because         matched") == 2
    assert "page            https://tools.example/compare/alpha-vs-delta" in story


def test_a_seat_from_the_rows_says_so(tmp_path: Path) -> None:
    left, right = tool("alpha", ("Builder", "Skeptic")), tool("beta", ("Builder", "Skeptic"))
    other = tool("delta", takes={"PM": (prose("pm"), 70, "ship")})
    found = normalized(labelled(left, GAMMA), dump(left, right), dump(right, other))
    path = tmp_path / "corpus.duckdb"
    load_corpus(path, dict(found), crawls=(), fetches=())
    text = right.takes["Builder"][0]
    (review,) = {row.review_id for row in found["appearances"] if row.text == text}  # type: ignore[union-attr]  # appearances
    assert "Builder (from the rows it stands between)" in str(story_of(path, Path("nowhere"), review))
