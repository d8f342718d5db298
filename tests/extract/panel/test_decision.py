"""The Decision table, however it is turned."""

import pytest

from builders.panel_blocks import WORDS, blocks
from verdicts.extract.model.records import Decision, PageRejected, Span
from verdicts.extract.panel.decision import read_decision
from verdicts.extract.panel.texts import Texts

NAMES = ("Alpha", "Bravo")
ROWS = (
    ("Panel verdict", "Ship · 3 ship / 1 skip", "Mixed · 2 ship / 2 skip"),
    ("Community", "No community votes yet", "62% · 130 votes"),
    ("Pricing", "Free tier / $20/mo Pro", "$9/mo"),
    ("Best for", "Ships your branch", "Reads your mail"),
    ("Category", "Developer Tools", "Community"),
)


def columns(rows=ROWS):
    fields = {"Panel verdict": "verdict", "Best for": "best_for"}
    return tuple(
        {fields.get(label, label.lower()): values[side] for label, *values in rows} for side in range(len(NAMES))
    )


def read(lines, names=NAMES):
    page = blocks(lines)
    decisions = read_decision(Texts(page, WORDS), range(len(page)), names).decisions
    assert [(decision.side, decision.name) for decision in decisions] == [("a", names[0]), ("b", names[1])]
    assert {decision.span for decision in decisions} == {Span(0, len(page) - 1)}
    return tuple({name: getattr(decision, name) for name in Decision.__slots__} for decision in decisions)


def expected(names=NAMES, rows=ROWS, lines=0):
    absent = {"verdict": None, "community": None, "pricing": None, "best_for": None, "category": None}
    return tuple(
        {"side": side, "name": name, **absent, **column, "span": Span(0, lines - 1)}
        for side, name, column in zip("ab", names, columns(rows), strict=True)
    )


def flat(rows):
    return [text for row in rows for text in row]


CASES = {
    "names, then label and two values": ["Decision", *NAMES, *flat(ROWS)],
    "an empty corner": ["Decision", "", *NAMES, *flat(ROWS)],
    "no head": flat(ROWS),
    "label last": ["Decision", *flat((a, b, label) for label, a, b in ROWS)],
    "label between": ["Decision", *flat((a, label, b) for label, a, b in ROWS)],
    "by tool": [
        "Decision",
        "Alpha",
        *flat((label, a) for label, a, _ in ROWS),
        "Bravo",
        *flat((label, b) for label, _, b in ROWS),
    ],
    "transposed": [
        "Decision",
        "",
        *(label for label, _, _ in ROWS),
        "Alpha",
        *(a for _, a, _ in ROWS),
        "Bravo",
        *(b for _, _, b in ROWS),
    ],
    "labels in capitals": ["DECISION", *NAMES, *flat((label.upper(), a, b) for label, a, b in ROWS)],
    "labels with a colon": ["Decision:", *NAMES, *flat((f"{label}:", a, b) for label, a, b in ROWS)],
}


@pytest.mark.parametrize("case", CASES)
def test_every_label_has_its_two_values(case):
    lines = CASES[case]
    assert read(lines) == expected(lines=len(lines))


def test_names_that_read_like_labels_are_names_in_the_head():
    names = ("Community", "Pricing")
    lines = ["Decision", *names, *flat(ROWS)]
    assert read(lines, names) == expected(names, lines=len(lines))


@pytest.mark.parametrize("blank", ["—", "–", "-", "n/a", ""])
def test_a_dash_is_no_value(blank):
    rows = [ROWS[0], ("Pricing", blank, "$9/mo")]
    assert [column["pricing"] for column in read(["Decision", *NAMES, *flat(rows)])] == [None, "$9/mo"]


@pytest.mark.parametrize(
    "lines",
    [
        ["Decision", *NAMES],
        ["Decision", *NAMES, *flat(ROWS)[:-1]],
        ["Decision", *NAMES, *flat(ROWS[1:])],
        ["Decision", *NAMES, *flat([*ROWS, ROWS[0]])],
        ["Decision", *NAMES, "Panel verdict", "Free tier", "Ship", *flat(ROWS[1:])],
        ["Decision", *NAMES, *ROWS[0], "Community", "Free tier", "$9/mo"],
    ],
)
def test_a_table_that_fits_no_reading_is_refused_and_not_shifted(lines):
    with pytest.raises(PageRejected, match="not exactly one value") as rejected:
        read(lines)
    assert rejected.value.reject.reason == "incomplete_decision"
