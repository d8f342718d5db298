"""The story of a review: its wordings word by word, the evidence, what speaks against it."""

from dataclasses import replace
from pathlib import Path

import pytest

from builders.normalize_pages import (
    address,
    dump,
    find_review,
    normalize_all,
    observe,
    observe_page,
    prose,
    tool,
    with_take,
)
from builders.normalize_pages import page as compared
from builders.warehouse_files import load_corpus
from verdicts.normalize.corpus import normalize
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.steps import note_correction
from verdicts.reading.story import tell_story
from verdicts.warehouse.storage.warehouse_errors import QuestionFailed

ALPHA, BETA, GAMMA = tool("alpha"), tool("beta"), tool("gamma")
TAKE = ALPHA.takes["Builder"][0]


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    cut = with_take(ALPHA, "Builder", TAKE[: len(TAKE) // 2] + "…")
    edited = with_take(ALPHA, "Builder", TAKE.replace(TAKE.split()[9], "altogether", 1))
    found = normalize_all(
        observe_page(ALPHA, BETA),
        dump(cut, GAMMA),
        observe(compared(edited, tool("delta"), "quotes"), address(edited, tool("delta"))),
    )
    path = tmp_path_factory.mktemp("story") / "corpus.duckdb"
    load_corpus(path, dict(found), crawls=(), fetches=())
    (review,) = {row.review_id for row in found["appearances"] if row.text == TAKE}  # type: ignore[union-attr]  # appearances
    return str(tell_story(path, Path("nowhere"), review))


def test_every_other_wording_stands_with_its_match(story):
    assert story.count(TAKE) == 1
    assert "match           prefix\nsimilarity" in story
    assert TAKE.replace(TAKE.split()[9], "altogether", 1) in story


def test_every_page_is_evidence_with_its_weight(story):
    assert (
        "kind            observed\nweight          1.0\n"
        "detail          labelled Builder 80/100 ship on this page\n" in story
    )
    assert story.count("kind            matched") == 2
    assert "page            https://tools.example/compare/alpha-vs-delta" in story


def test_a_take_that_a_person_removed_is_told_with_the_correction(tmp_path):
    folder, path = DataFolder(tmp_path / "data"), tmp_path / "corpus.duckdb"
    pages = [observe_page(ALPHA, BETA), dump(ALPHA, GAMMA)]
    review = min(row.review_id for row in normalize(pages)["reviews"])  # type: ignore[attr-defined]  # reviews
    made = note_correction(folder, "review", {"review": review, "no_tool": True}, by="Ada", why="it is spam")
    load_corpus(path, dict(normalize(pages, corrections=[made])), crawls=(), fetches=())
    said = f"begins '{review[:12]}'; correction {made.id[:12]} of Ada is about it: it is spam"
    with pytest.raises(QuestionFailed, match=said):
        tell_story(path, None, review[:12])


def test_a_reviewer_from_the_rows_says_so(tmp_path):
    left, right = tool("alpha", ("Builder", "Skeptic")), tool("beta", ("Builder", "Skeptic"))
    other = tool("delta", takes={"PM": (prose("pm"), 70, "ship")})
    found = normalize_all(observe_page(left, GAMMA), dump(left, right), dump(right, other))
    path = tmp_path / "corpus.duckdb"
    load_corpus(path, dict(found), crawls=(), fetches=())
    text = right.takes["Builder"][0]
    (review,) = {row.review_id for row in found["appearances"] if row.text == text}  # type: ignore[union-attr]  # appearances
    assert "reviewer        Builder\nreviewer_source row_order\n" in str(tell_story(path, Path("nowhere"), review))


def test_a_withdrawn_take_says_since_when_and_what_it_said_before(tmp_path):
    judged = replace(ALPHA, takes={**ALPHA.takes, "Builder": (TAKE, 31, "skip")})
    silent = replace(ALPHA, takes={reviewer: take for reviewer, take in ALPHA.takes.items() if reviewer != "Builder"})
    found = normalize_all(observe_page(ALPHA, BETA), observe_page(judged, BETA, 2), observe_page(silent, BETA, 3))
    path = tmp_path / "corpus.duckdb"
    load_corpus(path, dict(found), crawls=(), fetches=())
    said = str(tell_story(path, Path("nowhere"), find_review(found, TAKE).review_id))
    assert "score           31\nverdict         skip\n" in said
    assert "is_shown        False\nwithdrawn_at    2026-11-03 " in said
    assert "change          changed\nreviewer        Builder\nscore_before    80\nscore_after     31\n" in said
