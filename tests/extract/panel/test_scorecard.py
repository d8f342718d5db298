"""The scorecard: rows of two cells under a reviewer, columns of one tool, or takes in quotation marks."""

import pytest

from builders.panel_blocks import WORDS, blocks
from verdicts.extract.model.blocks import Block
from verdicts.extract.model.records import PageRejected
from verdicts.extract.panel.scorecard import read_scorecard
from verdicts.extract.panel.texts import Texts

NAMES = ("Alpha", "Bravo")

ONE, TWO = "0a Builder 88/100 ship: One command.", "0b Builder 61/100 skip: Two hours."
THREE, FOUR = "1a PM 70/100 ship: A plan.", "1b PM 52/100 skip: No plan."

# Blocks of a scorecard that says ONE and TWO.
SAME = {
    "head and text": "Builder|88/100 · ship|One command.|61/100 · skip|Two hours.",
    "score and verdict apart": "Builder|88/100|ship|One command.|skip|61/100|Two hours.",
    "a take of two paragraphs": "Builder|88/100 · ship|One|command.|61/100 · skip|Two hours.",
    "a take in quotation marks": 'Builder|88/100 · ship|“One command.”|61/100 · skip|"Two hours."',
    "the names over the columns": "Reviewer|Alpha|Bravo|Builder|88/100 · ship|One command.|61/100 · skip|Two hours.",
    "columns the other way round": "Reviewer|Bravo|Alpha|Builder|61/100 · skip|Two hours.|88/100 · ship|One command.",
    "a row a take": "Builder|Alpha|88/100 · ship|One command.|Builder|Bravo|61/100 · skip|Two hours.",
    "a reviewer in each cell": "Builder|88/100 · ship|One command.|Builder|61/100 · skip|Two hours.",
    "numbers without a scale": "Builder|ship 88|One command.|skip 61|Two hours.",
    "words around": "Builder|88 out of 100, would ship|One command.|Score: 61/100 — verdict: skip ✓|Two hours.",
    "score, scale and verdict apart": "Builder|88|/100|ship|One command.|61|/100|skip|Two hours.",
    "the head behind the take": "Builder|One command.|88/100 · ship|Two hours.|61/100 · skip",
    "all in one text": "Builder on Alpha: 88/100 · ship|One command.|Builder on Bravo: 61/100 · skip|Two hours.",
    "what hangs on the takes": "Builder|88/100 · ship|One command.|12 found this helpful|Share · Report|"
    "61/100 · skip|Two hours.|3 found this helpful|Share · Report",
    "a remark beside the reviewer": "The Builder (ships weekly)|88/100 · ship|One command.|61/100 · skip|Two hours.",
}

# Blocks, the takes that they say, and the cells without a take.
OTHER = [
    ("Builder|88/100 · ship|One command.|61/100 · skip|Two hours.|PM|70/100 · ship|A plan.|52/100 · skip|No plan.",
     [ONE, TWO, THREE, FOUR], []),
    ("Builder|88/100 · ship|One command.|No panel take|PM|No panel take|52/100 · skip|No plan.",
     [ONE, FOUR], ["Builder b", "PM a"]),
    ("Builder|88/100 · ship|One command.|", [ONE], ["Builder b"]),
    ("Builder|88/100 · ship|One command.|61/100 · skip|Two hours.|Average|88|61", [ONE, TWO], []),
    ("Builder|ship|One command.|skip|Two hours.", [ONE.replace("88/100", "None"), TWO.replace("61/100", "None")], []),
    ("Builder|88/100|One command.|61/100|Two hours.", [ONE.replace("ship", "None"), TWO.replace("skip", "None")], []),
    ("Night Operator|88/100 · ship|One command.|No panel take",
     [ONE.replace("Builder", "Night Operator")], ["Night Operator b"]),
    (("Builder|Alpha|88/100 · ship|One command.|Bravo|61/100 · skip|Two hours.|PM|Alpha|No panel take|"
     "Bravo|52/100 · skip|No plan."), [ONE, TWO, FOUR], ["PM a"]),
    (("Alpha|Builder|88/100 · ship|One command.|PM|70/100 · ship|A plan.|"
     "Bravo|Builder|61/100 · skip|Two hours.|PM|No panel take"), [ONE, TWO, THREE], ["PM b"]),
    ("Alpha|PM|70/100 · ship|A plan.|Bravo|Builder|61/100 · skip|Two hours.|PM|52/100 · skip|No plan.",
     [TWO, THREE, FOUR], []),
    ("Builder|Ship · 88/100|One command.|Skip (61)|Two hours.",
     [ONE.replace("ship", "Ship"), TWO.replace("skip", "Skip")], []),
    ("Builder|8.8/10 · ship|One command.|6.1/10 · skip|Two hours.",
     [ONE.replace("88/100", "8.8/10"), TWO.replace("61/100", "6.1/10")], []),
    ("Builder|88/100 · ship — One command was all it took.|61/100 · skip: Two hours were not enough.",
     [ONE.replace(".", " was all it took."), TWO.replace(".", " were not enough.")], []),
]  # fmt: skip


def read(lines, votes=None):
    page = blocks("Reviewer scorecard", lines.split("|") if isinstance(lines, str) else lines)
    return read_scorecard(Texts(page, WORDS), range(1, len(page)), NAMES, *([votes] if votes else []))


@pytest.mark.parametrize(("lines", "takes", "missing"), [*((lines, [ONE, TWO], []) for lines in SAME.values()), *OTHER])
def test_a_labelled_scorecard_gives_takes_and_the_cells_without_one(lines, takes, missing):
    scorecard = read(lines)
    assert scorecard.is_labelled
    shown = [
        f"{take.row}{take.side} {take.reviewer} {take.score} {take.verdict}: {take.text}" for take in scorecard.takes
    ]
    assert shown == takes
    assert [take.position for take in scorecard.takes] == list(range(len(takes)))
    assert [f"{cell.reviewer} {cell.side}" for cell in scorecard.missing_takes] == missing


@pytest.mark.parametrize(
    ("lines", "takes"),
    [
        (["“One command.”", "“Two hours.”"], ["One command.", "Two hours."]),
        (['"One command."', "“Two hours.”"], ["One command.", "Two hours."]),
        (["“It said \"no\" twice.”"], ['It said "no" twice.']),
        (["“One", "command.”"], ["One command."]),
        (["By the panel", "“One command.”"], ["One command."]),
        (["• “One command.”", "2. «Two hours.»"], ["One command.", "Two hours."]),
        ([], []),
    ],
)  # fmt: skip
def test_takes_that_lost_their_reviewer_stand_in_quotation_marks(lines, takes):
    scorecard = read(lines)
    assert not scorecard.is_labelled
    assert [take.text for take in scorecard.takes] == takes
    assert {(take.row, take.side, take.reviewer, take.score, take.verdict) for take in scorecard.takes} <= {(None,) * 5}
    assert scorecard.missing_takes == ()


def test_an_element_around_a_cell_holds_all_of_its_take_and_nothing_beside_it():
    cell, other = (1, 2), (1, 3)
    scorecard = read(
        [
            Block("Builder", path=(1,)),
            Block("88/100 · ship", path=cell),
            Block("One", path=cell),
            Block("command.", path=cell),
            Block("Read more", path=cell, is_control=True),
            Block("Host your agents on a cloud of ours", path=(1,)),
            Block("61/100 · skip", path=other),
            Block("Two hours.", path=other),
        ]
    )
    assert [take.text for take in scorecard.takes] == ["One command.", "Two hours."]
    assert [doubt.found for doubt in scorecard.doubts] == ["Host your agents on a cloud of ours"]


def test_words_that_stand_behind_a_score_of_another_cell_are_not_taken_for_its_own():
    figures = [
        (
            f"A take of {reviewer} on {name}, which is long enough to be read as prose by anybody who reads it.",
            reviewer,
            name,
        )
        for reviewer in ("Builder", "PM")
        for name in NAMES
    ]
    lines = [
        Block(text, path=(1, number))
        for number, (words, reviewer, name) in enumerate(figures)
        for text in (words, f"{reviewer} on {name}: {70 + number}/100 · ship")
    ]
    scorecard = read(
        [*lines, Block("A footer that is as long as a take, and tells what this page was made for.", path=(1,))]
    )
    assert [(take.reviewer, take.side, take.score, take.text) for take in scorecard.takes] == [
        (reviewer, side, f"{70 + number}/100", words)
        for (number, (words, reviewer, _)), side in zip(enumerate(figures), "abab", strict=True)
    ]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("Builder|88/100|One command.|61/100|Two hours.", ["88/100", "61/100"]),
        ("Builder|88/100 · ship|One|command.|61/100 · skip|Two hours.", ["command."]),
        ("Zeta|Builder|88/100 · ship|One command.|61/100 · skip|Two hours.", ["Zeta"]),
        ("“One command.”|Two hours.", ["Two hours."]),
    ],
)
def test_what_a_reading_leaves_open_is_told(lines, found):
    assert [doubt.found for doubt in read(lines).doubts] == found


def test_a_count_behind_each_head_is_not_the_take():
    cells = [(f"Words of take {number}.", f"8{number}/100 · ship", f"{number} found this helpful") for number in (1, 2)]
    blocks = [Block("Builder", path=(1, 2))]
    blocks += [Block(text, path=(1, 3, 4 + at)) for at, cell in enumerate(cells) for text in cell]
    assert [take.text for take in read(blocks).takes] == ["Words of take 1.", "Words of take 2."]


def test_the_votes_tell_whose_the_only_cell_of_a_row_is_and_that_is_told():
    lines = "Builder|88/100 · ship|One command.|61/100 · skip|Two hours.|PM|52/100 · skip|No plan."
    scorecard = read(lines, ((1, 0), (0, 2)))
    assert [(take.reviewer, take.side) for take in scorecard.takes] == [("Builder", "a"), ("Builder", "b"), ("PM", "b")]
    assert [doubt.rule for doubt in scorecard.doubts] == ["missing_cell"]


def test_a_take_and_a_missing_take_say_which_blocks_they_were_read_from():
    scorecard = read(["Builder", "88/100", "ship", "One", "command.", "No panel take"])
    assert [(take.span.first, take.span.last) for take in scorecard.takes] == [(2, 5)]
    assert [(cell.span.first, cell.span.last) for cell in scorecard.missing_takes] == [(6, 6)]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("Builder|88/100 · ship|One command.", "the row of Builder does not have one cell"),
        ("Builder|88/100 · would not ship|One command.|61/100 · skip|Two hours.", "the row of Builder"),
        ("Builder|88/100 · ship|One command.|61/100 · skip|Two hours.|PM|52/100 · skip|No plan.", "the row of PM"),
        ("Builder|88/100 · ship|One command.|PM|70/100 · ship|A plan.", "the row of Builder does not have one cell"),
        ("88/100 · ship|One command.|No panel take", "row 1 of the scorecard names no"),
        (f"{'x' * 41}|88/100 · ship|One.|No panel take", "names no reviewer"),
        ("Builder|88/100 · ship|61/100 · skip|Two hours.", "no words with it"),
        ("Alpha|PM|70/100|A plan.|PM|71/100|A plan.|Bravo|PM|52/100|No plan.", "PM stands twice"),
        ("“One command.”|“Two hours", "is cut off"),
    ],
)
def test_a_scorecard_that_cannot_be_trusted_says_why(lines, words):
    with pytest.raises(PageRejected, match=words) as rejected:
        read(lines)
    assert rejected.value.reject.reason == ("truncated" if "cut" in words else "incomplete_scorecard")
