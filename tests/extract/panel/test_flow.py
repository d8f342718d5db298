"""The words of a take: where they go on, what is doubted, and whose the columns are."""

import pytest

from builders.panel_html import ALPHA, BRAVO, TAKES, cards, decision, make_expected, page, read, rows, scorecard, table

LONG = tuple(
    (
        reviewer,
        *(None if take is None else (take[0], f"{take[1]} The {reviewer} saw {take[1][:5]}, too.") for take in pair),
    )
    for reviewer, *pair in TAKES
)


def write_scorecard(words, head="<p>{}</p>", reviewer="{}"):
    """The scorecard, each take written by `words` of its two sentences."""
    lines = [
        (reviewer.format(name), *("No panel take" if take is None else cell(take, words, head) for take in pair))
        for name, *pair in LONG
    ]
    return f"<section><h2>Reviewer scorecard</h2>{table(*lines)}</section>"


def cell(take, words, head="<p>{}</p>"):
    first, second = take[1].split(". ", 1)
    return head.format(take[0]) + words.format(f"{first}.", second)


def spell(words):
    """A span a word, as an animation has it."""
    return "".join(f'<span style="--at:{at}">{word}</span> ' for at, word in enumerate(words.split()))


def headings():
    """Reviewers as headings of the scorecard's own level."""
    html = "<h2>Reviewer scorecard</h2>"
    for reviewer, *pair in LONG:
        cells = [cell(take, "<p>{} {}</p>") if take else "No panel take" for take in pair]
        html += f"<h2>{reviewer}</h2>{''.join(f'<div>{inner}</div>' for inner in cells)}"
    return html


WHOLE = {
    "hidden words": write_scorecard("<p>{} <span hidden>{}</span></p>"),
    "a hidden closing mark": write_scorecard('<p>“{} <span style="display:none">{}”</span></p>'),
    "a dialog": write_scorecard("<button>Read</button><dialog><p>{} {}</p></dialog>"),
    "equal paragraphs": write_scorecard("<p>{0} {1}</p><p>{0} {1}</p>"),
    "a narrow copy": write_scorecard('<p class="md:hidden">{0}…</p><p class="hidden md:block">{0} {1}</p>'),
    "a counter beside the reviewer": write_scorecard("<p>{} {}</p>", reviewer="{}<span>12</span>"),
    "how sure": write_scorecard("<p>{} {}</p>", head="<p>{} · 72% sure</p>"),
    "reviewers as headings": headings(),
    "meters": write_scorecard("<p>{} {}</p>").replace("88/100", '<meter max="100" value="88"></meter>'),
    "a span a word": scorecard(
        tuple((reviewer, *(take and (take[0], spell(take[1])) for take in pair)) for reviewer, *pair in LONG)
    ),
}


@pytest.mark.parametrize("form", WHOLE)
def test_a_take_has_all_of_its_words_and_no_others(form):
    comparison = read(page(scorecard=WHOLE[form]))
    assert [(take.side, take.reviewer, f"{take.score} · {take.verdict}", take.text) for take in comparison.takes] == (
        make_expected(takes=LONG)[2]
    )
    assert comparison.doubts == ()


@pytest.mark.parametrize(
    ("form", "found"),
    [
        (
            write_scorecard("<p>{}</p>").replace(" command.", " command, and then it"),
            "Alpha took one command, and then it",
        ),
        (write_scorecard("<p>{} {}</p>").replace("Alpha took", "“Alpha took"), "mmand. The Builder saw Alpha, too."),
        (write_scorecard("<p>{} {}</p>").replace("88/100", '<b data-to="88">0</b>/100'), "0/100 · ship"),
        (write_scorecard("<p>{}</p><p>A reader: {}</p>"), "A reader: The Builder saw Alpha, too."),
        (write_scorecard("<p>{}</p><div hidden><p>{}</p></div>"), "The Builder saw Alpha, too."),
        (write_scorecard("<p>{}</p><aside><p>{}</p></aside>"), "The Builder saw Alpha, too."),
    ],
)
def test_what_may_be_less_or_more_than_the_take_is_told(form, found):
    doubts = read(page(scorecard=form)).doubts
    assert [doubt for doubt in doubts if doubt.rule == "unread_text" and found in doubt.found]


def test_votes_tell_the_columns_and_a_counted_up_percentage_is_doubted():
    turned = read(
        page(cards=cards(BRAVO, ALPHA), decision=decision(table(("", "Bravo", "Alpha"), *rows(BRAVO, ALPHA))))
    )
    assert {take.side for take in turned.takes if "Alpha" in take.text} == {"b"}
    assert [doubt.rule for doubt in turned.doubts] == ["copies_differ"]
    counted = read(page(cards=cards().replace("<b>75%", '<b><i data-to="75">0</i>%')))
    assert [(doubt.side, doubt.found) for doubt in counted.doubts] == [("a", "0% · Ship")]


def test_a_guest_whom_the_votes_do_not_count_is_told_and_no_reviewer():
    guest = ("Guest · not counted", ("91/100 · ship", "Alpha was nice in class."), None)
    comparison = read(page(scorecard=scorecard((*TAKES, guest))))
    assert {take.reviewer for take in comparison.takes} == {reviewer for reviewer, *_ in TAKES}
    assert [doubt.found for doubt in comparison.doubts] == [" · ".join((guest[0], ": ".join(guest[1])))]


def test_a_list_before_the_first_paragraph_of_an_open_cell_is_told():
    """Between headings no element ends a take, so what is not like the other takes is in doubt."""
    told = "No losses in a month, and one crash at night"
    html = "".join(
        f"<h3>{reviewer}</h3><p><strong>{name}</strong></p><p>{take[0]}</p><blockquote>{extra}<p>{take[1]}</p></blockquote>"
        for reviewer, *pair in LONG
        for name, take in zip((ALPHA["name"], BRAVO["name"]), pair, strict=True)
        for extra in (f"<ul><li>{told}</li></ul>" if (reviewer, name) == ("Skeptic", ALPHA["name"]) else "",)
        if take
    )
    comparison = read(page(scorecard=f"<h2>Reviewer scorecard</h2>{html}"))
    assert any(told in take.text for take in comparison.takes) or any(
        told in doubt.found for doubt in comparison.doubts
    )
