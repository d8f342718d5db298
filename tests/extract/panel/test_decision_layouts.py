"""The Decision table in HTML: read by its cells or elements; its head says whose a column is."""

import pytest

from builders.panel_html import ALPHA, BRAVO, decision, facts, make_expected, page, read, rows, table
from verdicts.extract.model.records import PageRejected

HEAD = ("", "Alpha", "Bravo")
TURNED = [(label, b, a) for label, a, b in rows()]
EXTRA = ("Colour", "red", "blue")


def divs(*lines):
    return "".join(f"<div>{''.join(f'<p>{text}</p>' for text in line)}</div>" for line in lines)


def texts(*lines):
    """The texts one after the other, with no row around them."""
    return "".join(f"<p>{text}</p>" for line in lines for text in line)


SIDES = [("Alpha", *(text for label, a, _ in rows() for text in (label, a))),
         ("Bravo", *(text for label, _, b in rows() for text in (label, b)))]  # fmt: skip

WHOLE = {
    "no head": table(*rows()),
    "columns turned": table(("", "Bravo", "Alpha"), *TURNED),
    "labels last": table(("Alpha", "Bravo", ""), *((a, b, label) for label, a, b in rows())),
    "labels between": table(("Alpha", "", "Bravo"), *((a, label, b) for label, a, b in rows())),
    "rows of tools, turned": table(
        ("", *(label for label, _, _ in rows())),
        ("Bravo", *(b for _, _, b in rows())),
        ("Alpha", *(a for _, a, _ in rows())),
    ),
    "a column that names the winner": table((*HEAD, "Winner"), *((*row, "Alpha") for row in rows())),
    "elements, turned": divs(("Bravo", "Alpha"), *TURNED),
    "texts, turned": texts(("Bravo", "Alpha"), *TURNED),
    "texts without a head": texts(*rows()),
    "texts by tool": texts(*SIDES),
    "texts, labels in capitals": texts(HEAD[1:], *((label.upper(), a, b) for label, a, b in rows())),
    "texts, labels with a colon": texts(HEAD[1:], *((f"{label}:", a, b) for label, a, b in rows())),
    "a copy for narrow windows": f'<div class="md:hidden">{divs(HEAD, *rows())}</div>{table(HEAD, *rows())}',
    "links in the cells": table(HEAD, *((label, f'<a href="#x">{a}</a>', b) for label, a, b in rows())),
}


@pytest.mark.parametrize("layout", WHOLE)
def test_a_layout_changes_no_value(layout):
    comparison = read(page(decision=decision(WHOLE[layout])))
    assert facts(comparison) == make_expected()
    assert comparison.doubts == ()


@pytest.mark.parametrize(
    ("inner", "told"),
    [
        (table(HEAD, *rows(), EXTRA), "Colour / red / blue"),
        (table(HEAD, *rows()[:2], EXTRA, *rows()[2:]), "Colour / red / blue"),
        (divs(HEAD, *rows()[:2], EXTRA, *rows()[2:]), "Colour / red / blue"),
        ("<p>How the two compare today.</p>" + table(HEAD, *rows()), "How the two compare today."),
        (table(HEAD, *rows()) + "<p>Prices in dollars.</p>", "Prices in dollars."),
        (
            table(HEAD, *rows()).replace("</table>", "<tr><td colspan=3>* Since March</td></tr></table>"),
            "* Since March",
        ),
        (table(HEAD, *rows()).replace("<table>", "<table><caption>Side by side</caption>"), "Side by side"),
    ],
)
def test_what_is_no_row_is_told_and_moves_none(inner, told):
    comparison = read(page(decision=decision(inner)))
    assert facts(comparison) == make_expected()
    assert [(doubt.rule, doubt.found) for doubt in comparison.doubts] == [("unread_text", told)]


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_table_may_have_fewer_rows(count):
    fields = ("verdict", "votes", "pricing", "tagline", "category")
    comparison = read(page(decision=decision(table(HEAD, *rows()[-count:]))))
    assert facts(comparison)[1] == make_expected(columns=fields[-count:])[1]


@pytest.mark.parametrize("blank", ["", "—", "–", "-", "n/a"])
def test_an_empty_cell_and_a_dash_are_no_value(blank):
    lines = [(label, a, blank if label == "Pricing" else b) for label, a, b in rows()]
    assert (
        facts(read(page(decision=decision(table(HEAD, *lines)))))[1] == make_expected(b={**BRAVO, "pricing": None})[1]
    )


def test_a_copy_that_says_something_else_is_told():
    other = decision(b={**BRAVO, "pricing": "$10/mo"})
    comparison = read(page(decision=decision() + other))
    assert facts(comparison) == make_expected()
    assert [(doubt.rule, doubt.side, doubt.expected, doubt.found) for doubt in comparison.doubts] == [
        ("copies_differ", None, "a copy that says the same", "$10/mo")
    ]


@pytest.mark.parametrize(
    ("inner", "reason", "words"),
    [
        (table(("", "Alpha", "Gamma"), *rows()), "incomplete_decision", "reads Alpha / Gamma"),
        (divs(("Alpha", "Gamma"), *rows()), "incomplete_decision", "reads Alpha / Gamma"),
        (table((*HEAD, "Gamma"), *((*row, row[1]) for row in rows())), "incomplete_card", "three tools or more"),
        (texts(HEAD[1:], *rows()[:2], *rows()[3:], ("Pricing", "Free")), "incomplete_decision", "exactly one value"),
        (
            f'<div class="md:hidden">{divs(HEAD, *rows(b={**BRAVO, "pricing": "$10/mo"}))}</div>{table(HEAD, *rows())}',
            "incomplete_decision",
            "exactly one",
        ),
        (texts(HEAD[1:], *rows(), rows()[0]), "incomplete_decision", "exactly one value"),
        (texts(HEAD[1:], ("Panel verdict", "Free tier", "Ship"), *rows()[1:]), "incomplete_decision", "exactly one"),
    ],
)
def test_a_table_that_may_be_another_one_is_refused(inner, reason, words):
    with pytest.raises(PageRejected, match=words) as rejected:
        read(page(decision=decision(inner)))
    assert rejected.value.reject.reason == reason


@pytest.mark.parametrize(
    "lines",
    [
        table(HEAD, *rows()[:2], ("Pricing", ALPHA["pricing"]), *rows()[3:]),
        divs(HEAD, *rows()[:2], ("Pricing", ALPHA["pricing"], ""), *rows()[3:]),
    ],
)
def test_a_row_that_lacks_a_value_is_left_out_and_told(lines):
    comparison = read(page(decision=decision(lines)))
    assert facts(comparison)[1] == make_expected(columns=("verdict", "votes", "tagline", "category"))[1]
    assert [doubt.found for doubt in comparison.doubts] == [f"Pricing / {ALPHA['pricing']}"]
