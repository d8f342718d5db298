"""The scorecard: rows of two cells under a seat, columns of one tool, or takes in quotation marks."""

import pytest

from builders.panel_blocks import WORDS, blocks
from extract.model.errors import PageRejected
from extract.panel.scorecard import read_scorecard

NAMES = ("Alpha", "Bravo")

# (row, side, seat, score, verdict, text) of each take; (seat, side) of each missing one
ONE = (0, "a", "Builder", "88/100", "ship", "One command.")
TWO = (0, "b", "Builder", "61/100", "skip", "Two hours.")
THREE = (1, "a", "PM", "70/100", "ship", "A plan.")
FOUR = (1, "b", "PM", "52/100", "skip", "No plan.")

LABELLED = {
    "head and text": (
        ["Builder", "88/100 · ship", "One command.", "61/100 · skip", "Two hours."],
        [ONE, TWO],
        [],
    ),
    "two rows": (
        ["Builder", "88/100 · ship", "One command.", "61/100 · skip", "Two hours.",
         "PM", "70/100 · ship", "A plan.", "52/100 · skip", "No plan."],
        [ONE, TWO, THREE, FOUR],
        [],
    ),
    "no take by B": (
        ["Builder", "88/100 · ship", "One command.", "No panel take",
         "PM", "No panel take", "52/100 · skip", "No plan."],
        [ONE, FOUR],
        [("Builder", "b"), ("PM", "a")],
    ),
    "an empty cell": (["Builder", "88/100 · ship", "One command.", ""], [ONE], [("Builder", "b")]),
    "score and verdict apart": (
        ["Builder", "88/100", "ship", "One command.", "skip", "61/100", "Two hours."],
        [ONE, TWO],
        [],
    ),
    "no score": (
        ["Builder", "ship", "One command.", "skip", "Two hours."],
        [(*ONE[:3], None, *ONE[4:]), (*TWO[:3], None, *TWO[4:])],
        [],
    ),
    "no verdict": (
        ["Builder", "88/100", "One command.", "61/100", "Two hours."],
        [(*ONE[:4], None, ONE[5]), (*TWO[:4], None, TWO[5])],
        [],
    ),
    "a seat that nobody has seen": (
        ["Night Operator", "88/100 · ship", "One command.", "No panel take"],
        [(*ONE[:2], "Night Operator", *ONE[3:])],
        [("Night Operator", "b")],
    ),
    "a take of two paragraphs": (
        ["Builder", "88/100 · ship", "One", "command.", "61/100 · skip", "Two hours."],
        [ONE, TWO],
        [],
    ),
    "a take in quotation marks": (
        ["Builder", "88/100 · ship", "“One command.”", "61/100 · skip", '"Two hours."'],
        [ONE, TWO],
        [],
    ),
    "the names before each cell": (
        ["Builder", "Alpha", "88/100 · ship", "One command.", "Bravo", "61/100 · skip", "Two hours.",
         "PM", "Alpha", "No panel take", "Bravo", "52/100 · skip", "No plan."],
        [ONE, TWO, FOUR],
        [("PM", "a")],
    ),
    "the names over the columns": (
        ["Reviewer", "Alpha", "Bravo", "Builder", "88/100 · ship", "One command.", "61/100 · skip", "Two hours."],
        [ONE, TWO],
        [],
    ),
    "by tool": (
        ["Alpha", "Builder", "88/100 · ship", "One command.", "PM", "70/100 · ship", "A plan.",
         "Bravo", "Builder", "61/100 · skip", "Two hours.", "PM", "No panel take"],
        [ONE, TWO, THREE],
        [("PM", "b")],
    ),
    "by tool, a seat of one tool alone": (
        ["Alpha", "PM", "70/100 · ship", "A plan.",
         "Bravo", "Builder", "61/100 · skip", "Two hours.", "PM", "52/100 · skip", "No plan."],
        [TWO, THREE, FOUR],
        [],
    ),
}  # fmt: skip


def read(lines):
    page = blocks("Reviewer scorecard", lines)
    return read_scorecard(page, range(1, len(page)), NAMES, WORDS)


@pytest.mark.parametrize("case", LABELLED)
def test_a_labelled_scorecard_gives_takes_and_the_cells_without_one(case):
    lines, takes, missing = LABELLED[case]
    scorecard = read(lines)
    assert scorecard.is_labelled
    assert [(take.row, take.side, take.seat, take.score, take.verdict, take.text) for take in scorecard.takes] == takes
    assert [take.position for take in scorecard.takes] == list(range(len(takes)))
    assert [(cell.seat, cell.side) for cell in scorecard.missing_takes] == missing


@pytest.mark.parametrize(
    ("lines", "takes"),
    [
        (["“One command.”", "“Two hours.”"], ["One command.", "Two hours."]),
        (['"One command."', "“Two hours.”"], ["One command.", "Two hours."]),
        (["“It said \"no\" twice.”"], ['It said "no" twice.']),
        (["“One", "command.”"], ["One command."]),
        (["By the panel", "“One command.”"], ["One command."]),
        ([], []),
    ],
)  # fmt: skip
def test_takes_that_lost_their_reviewer_stand_in_quotation_marks(lines, takes):
    scorecard = read(lines)
    assert not scorecard.is_labelled
    assert [take.text for take in scorecard.takes] == takes
    assert {(take.row, take.side, take.seat, take.score, take.verdict) for take in scorecard.takes} <= {(None,) * 5}
    assert scorecard.missing_takes == ()


def test_a_take_and_a_missing_take_say_which_blocks_they_were_read_from():
    scorecard = read(["Builder", "88/100", "ship", "One", "command.", "No panel take"])
    assert [(take.span.first, take.span.last) for take in scorecard.takes] == [(2, 5)]
    assert [(cell.span.first, cell.span.last) for cell in scorecard.missing_takes] == [(6, 6)]


@pytest.mark.parametrize(
    ("lines", "reason", "words"),
    [
        (["Builder", "88/100 · ship", "One command."], "incomplete_scorecard", "the row of Builder has not one cell"),
        (["88/100 · ship", "One command.", "No panel take"], "incomplete_scorecard", "row 1 of the scorecard names no"),
        (["x" * 41, "88/100 · ship", "One.", "No panel take"], "incomplete_scorecard", "names no reviewer"),
        (["Builder", "88/100 · ship", "61/100 · skip", "Two hours."], "incomplete_scorecard", "no words with it"),
        (
            ["Builder", "88/100 · ship", "One command.", "PM", "70/100 · ship", "A plan."],
            "incomplete_scorecard",
            "the row of Builder has not one cell",
        ),
        (
            ["Alpha", "PM", "70/100", "A plan.", "PM", "71/100", "A plan.", "Bravo", "PM", "52/100", "No plan."],
            "incomplete_scorecard",
            "PM stands twice",
        ),
        (["“One command.”", "“Two hours"], "truncated", "is cut off"),
    ],
)
def test_a_scorecard_that_cannot_be_trusted_says_why(lines, reason, words):
    with pytest.raises(PageRejected, match=words) as rejected:
        read(lines)
    assert rejected.value.reject.reason == reason
