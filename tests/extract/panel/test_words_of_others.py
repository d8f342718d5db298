"""Comments, replies and notes in the cell of a take: they never become its words without a report."""

import re
from itertools import cycle

import pytest

from builders.panel_html import ALPHA, BRAVO, cards, decision, page, read

SAID = {
    ("Builder", "a"): ("84/100 · ship", "One command started it, and the branch was green before lunch."),
    ("Builder", "b"): ("71/100 · ship", "The import took an hour and lost nothing that we could find."),
    ("Skeptic", "a"): ("55/100 · skip", "It guessed the base branch twice and was wrong both times."),
    ("Skeptic", "b"): ("61/100 · skip", "Nobody can tell what it does with the mail that it reads."),
    ("PM", "a"): ("77/100 · ship", "Release notes write themselves now, which saves us a meeting."),
    ("PM", "b"): ("58/100 · skip", "There is no way to share a draft with the rest of the team."),
    ("Founder", "a"): ("90/100 · ship", "It paid for itself within the first week of the trial."),
    ("Founder", "b"): ("74/100 · ship", "The price is fair as long as the team stays below ten people."),
}
REVIEWERS = list(dict.fromkeys(reviewer for reviewer, _ in SAID))
PEOPLE = ("Jane", "Tom B.", "Ines", "Marek", "Ola", "Petra", "Sam", "Yuki")

# What others say: `first` and `second` are sentences, `who` a name.
BEHIND = (
    "<ul><li>{who}: {first}</li><li>{second}</li></ul>",
    '<ul class="comments"><li>{first}</li><li>{second}</li></ul>',
    '<ol class="comments"><li>{who}: {first}</li></ol>',
    "<ul><li><b>{who}</b><p>{first}</p></li></ul>",
    "<ul><li><span>{who}</span><span>{first}</span></li></ul>",
    '<div class="reply">{first}</div>',
    '<div class="box"><p>{first}</p><p>{second}</p></div>',
    '<div class="c"><strong>{who}</strong><p>{first}</p></div>',
    '<div class="t"><div><p>{who}</p><p>{first}</p></div></div>',
    "<blockquote>{first}</blockquote>",
    "<blockquote><p>{first}</p><cite>{who}</cite></blockquote>",
    "<figure><blockquote>{first}</blockquote><figcaption>{who}</figcaption></figure>",
    "<details><summary>Comments (2)</summary><p>{first}</p><p>{second}</p></details>",
    "<details><summary>2 comments</summary><ul><li>{first}</li><li>{second}</li></ul></details>",
    "<table><tr><td>{who}</td><td>{first}</td></tr></table>",
    "<h5>Comments</h5><p>{first}</p><p>{second}</p>",
    "<h5>What readers say</h5><ul><li>{first}</li></ul>",
    "<p><b>Reader comments</b></p><p>{first}</p>",
    "<p>Reply from the maker: {first}</p>",
    "<p><strong>Reply from the maker:</strong> {first}</p>",
    "<p>Reply from the maker:</p><p>{first}</p>",
    "<section><p>Reply from the maker</p><p>{first}</p></section>",
    '<div class="m">Reply from the maker — {first}</div>',
    '<div class="m"><h6>Maker reply</h6><p>{first}</p></div>',
    "<p>Editor’s note: {first}</p>",
    "<p><em>Editor's note: {first}</em></p>",
    '<p class="note">{first}</p>',
    "<aside>{first}</aside>",
    '<small class="n">Editor: {first}</small>',
    "<p>Updated 3 May 2026: {first}</p>",
    "<p>Updated 3 May 2026</p>",
    '<div class="up">Updated 3 May 2026. {first}</div>',
    "<p>{who}: {first}</p>",
    "<p>3 replies</p><p>{first}</p>",
    "<button>Show comments</button><p>{first}</p>",
    "<footer><p>{first}</p></footer>",
)
ABOVE = (
    '<div class="note">{first}</div>',
    "<p>Editor’s note: {first}</p>",
    '<p class="note">{first}</p>',
    "<aside><p>{first}</p></aside>",
    "<blockquote>{first}</blockquote>",
)
CELLS = {"one": {2}, "some": {1, 4, 6}, "all": {*range(8)}, "last": {7}, "no other": {0}}

# How a page sets its scorecard, and its takes.
LAYOUTS = (
    ("<table>{}</table>", "<tr><th>{reviewer}</th><td>{a}</td><td>{b}</td></tr>"),
    ("{}", "<div><h3>{reviewer}</h3><div class=cell>{a}</div><div class=cell>{b}</div></div>"),
    ("{}", "<article><h3>{reviewer}</h3><div><h4>Alpha</h4>{a}</div><div><h4>Bravo</h4>{b}</div></article>"),
    ("<ul>{}</ul>", "<li><h3>{reviewer}</h3><section>{a}</section><section>{b}</section></li>"),
)
FORMS = ("<p>{}</p>", '<p class="take">{}</p>', '<div class="words">{}</div>', '<div class="body"><p>{}</p></div>')


def cell(number, words, above="", behind=""):
    made = {
        "first": f"I tried it on day {number + 1} and never got past the login.",
        "second": f"My team has used it daily since week {number + 20}.",
        "who": PEOPLE[number],
    }
    return f"<p>{[*SAID.values()][number][0]}</p>{above.format(**made)}{words}{behind.format(**made)}"


def write_scorecard(layout, cells, is_alone=False):
    around, row = layout
    rows = [row.format(reviewer=reviewer, **{side: cells[reviewer, side] for side in "ab"}) for reviewer in REVIEWERS]
    if is_alone:
        rows = [row.format(reviewer="Builder", a=cells["Builder", "a"], b="No panel take")]
    votes = ("1 ship / 0 skip", "0 ship / 0 skip") if is_alone else ("3 ship / 1 skip", "2 ship / 2 skip")
    a, b = ({**tool, "verdict": f"{tool['chip']} · {said}"} for tool, said in zip((ALPHA, BRAVO), votes, strict=True))
    html = f"<section><h2>Reviewer scorecard</h2>{around.format(''.join(rows))}</section>"
    return page(cards=cards(a, b), decision=decision(a=a, b=b), scorecard=html)


def takes(comparison):
    return {(take.reviewer, take.side): (f"{take.score} · {take.verdict}", take.text) for take in comparison.takes}


@pytest.mark.parametrize("cells", CELLS)
@pytest.mark.share(3)
def test_words_of_others_are_left_out_or_told(cells):
    right = 0
    added = [*(("", words) for words in BEHIND), *((words, "") for words in ABOVE)]
    for number, (above, behind) in enumerate(added):
        turn = number % len(FORMS)
        for layout, form in zip(LAYOUTS, (*FORMS[turn:], *FORMS[:turn]), strict=True):
            made = {
                key: cell(place, form.format(words), *((above, behind) if place in CELLS[cells] else ()))
                for place, (key, (_, words)) in enumerate(SAID.items())
            }
            said = {("Builder", "a"): SAID["Builder", "a"]} if cells == "no other" else SAID
            comparison = read(write_scorecard(layout, made, is_alone=cells == "no other"))
            is_right = takes(comparison) == said
            assert is_right or comparison.doubts, (above, behind, layout, form)
            right += is_right
    assert right >= RIGHT[cells]


RIGHT = {"one": 157, "some": 157, "all": 97, "last": 157, "no other": 138}
"""The pages, of 164, whose takes have their own words alone.

A note that is a paragraph with a colon is told, because the reviewer's own may have one. In all cells, an unlabelled
note may be a paragraph.
"""


WITHIN = (
    "<br>Editor’s note: {first}",
    "<br><b>{who}:</b> {first}",
    " <em>(Editor: {first})</em>",
    " <small>{who} replies: {first}</small>",
    ' <span class="reply">Reply from the maker — {first}</span>',
    ' <a href="/u/7">@{who}</a> {first}',
)
"""In the element of the take's own words."""


@pytest.mark.parametrize("cells", CELLS)
@pytest.mark.parametrize("within", WITHIN)
def test_a_reply_inside_the_text_of_a_take_is_told(within, cells):
    for layout, form in zip(LAYOUTS, FORMS, strict=True):
        made = {
            key: cell(place, "", behind=form.format(words + within * (place in CELLS[cells])))
            for place, (key, (_, words)) in enumerate(SAID.items())
        }
        comparison = read(write_scorecard(layout, made))
        assert comparison.doubts or takes(comparison) == SAID


LIST = "<ul><li>Fast for {who}</li><li>No lock-in for {who}</li></ul>"
OWN = {
    "paragraphs": ("some", "{words}", ("{who} says more of it.", "That ends it for {who}."), ""),
    "paragraphs everywhere": ("all", "{words}", ("{who} says more of it.",), ""),
    "emphasis": ("one", "<b>Well.</b> {words} <em>Really.</em>", (), ""),
    "a list after a colon": ("one", "{words} So:", (), LIST),
}
"""The cells, the first paragraph, further ones, and what stands behind them."""


@pytest.mark.parametrize("kind", OWN)
def test_all_that_a_reviewer_says_stays_whole(kind):
    chosen, first, paragraphs, behind = OWN[kind]
    for layout, form in zip(LAYOUTS * 3, cycle(FORMS[:3]), strict=False):
        made, said = {}, {}
        for number, (key, (head, words)) in enumerate(SAID.items()):
            parts = ("".join(map(form.format, (first, *paragraphs))) + behind) if number in CELLS[chosen] else form
            html = parts.replace("{}", "{words}").format(words=words, who=PEOPLE[number])
            made[key] = cell(number, html)
            said[key] = (head, " ".join(re.sub(r"<summary>[^<]*</summary>|<[^>]*>", " ", html).split()))
        comparison = read(write_scorecard(layout, made))
        assert takes(comparison) == said
        assert comparison.doubts == ()
