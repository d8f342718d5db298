"""The same page in other markup, as a release or a redesign of the site leaves it, says the same."""

import re

import pytest

from builders.panel_html import ALPHA, BRAVO, HEAD, TAKES, cards, decision, facts, make_expected, page, read, rows
from builders.panel_html import scorecard as make_scorecard

PAGE = page()
LABELS = r"(?<=>)(Panel ship|Community|Entry|Panel verdict|Pricing|Best for|Category|Decision|Reviewer scorecard)(?=<)"
ICON = '<svg aria-hidden="true"><title>icon</title><path d="M2 8l4 4"/></svg>'


def change(pattern, into, html=PAGE):
    """The page after each match became something else."""
    changed = re.sub(pattern, into, html)
    assert changed != html
    return changed


def body(html):
    return html.removeprefix("<html><body>").removesuffix("</body></html>")


MARKUP = {
    "wrapped in divs": change(r"(<(p|h2|h3|article|table)>.*?</\2>)", r"<div>\1</div>"),
    "other block tags": change(r"<(/?)(section|article|main|header|footer)>", r"<\1div>"),
    "headings as divs": change(r"<(/?)(?:h[1-4]|p)>", r"<\1div>"),
    "no blocks around blocks": change(r"</?(section|main|header|footer)>", ""),
    "classes and attributes": change(r"<(p|td|div|h3)>", r'<\1 data-a="1" class="x1f03 y7">'),
    "labels in upper case": change(LABELS, lambda label: label[0].upper()),
    "labels in lower case": change(LABELS, lambda label: label[0].lower()),
    "emoji before labels": change(LABELS, r"🏷️ \1"),
    "icons before labels": change(LABELS, rf"{ICON}\1"),
    "texts for screen readers": change(LABELS, r'\1<span class="sr-only">see what this means</span>'),
    "badges before names": change("<h3><a", "<div>New</div><h3><a"),
    "badges behind names": change("</a></h3>", "</a></h3><div>Popular</div>"),
    "split over inline elements": change(r"<p>(\w+) (\w+) ([^<]*)</p>", r"<p>\1 <em>\2 \3</em></p>"),
    "split by comments": change(r">(\w{3})(\w+)", r">\1<!-- -->\2"),
    "hard spaces": change(r"(?<=>)([^<]+ [^<]+)(?=<)", lambda text: text[1].replace(" ", "\u00a0")),
    "invisible characters": change(r"(?<=>)(\w\w)(\w+)", "\\1\u200b\\2\u00ad"),
    "thirty elements deeper": f"<html><body>{'<div>' * 30}{body(PAGE)}{'</div>' * 30}</body></html>",
    "a copy in a template": change(r"<h2>Decision", rf"<template>{decision()}</template><h2>Decision"),
    "a copy in a noscript": change(r"<h2>Decision", rf"<noscript>{decision()}</noscript><h2>Decision"),
    "cards in a carousel": page(
        cards=f"<button>Previous</button><ul><li>{cards(ALPHA)}</li><li>{cards(BRAVO)}</li></ul>"
    ),
    "labels above the cells": page(
        decision=decision(
            "<table>"
            + "".join(f"<tr><th colspan=2>{label}</th></tr><tr><td>{a}</td><td>{b}</td></tr>" for label, a, b in rows())
            + "</table>"
        )
    ),
    "scorecard, cards, table": page(cards=make_scorecard() + cards(), scorecard=""),
}  # fmt: skip


def write(take, form="<p>{}</p><p>{}</p>"):
    return "No panel take" if take is None else form.format(*take)


def by_row(line):
    return "".join(line.format(name=name, a=write(a), b=write(b)) for name, a, b in TAKES)


def by_tool(line, panels=("<section><h3>Alpha</h3>{}</section>", "<section><h3>Bravo</h3>{}</section>")):
    """All that is said of a tool, then all of the other."""
    told = ("".join(line.format(name=name, take=write(pair[at])) for name, *pair in TAKES) for at in (0, 1))
    return "".join(panel.format(lines) for panel, lines in zip(panels, told, strict=True))


SLIDES = [f"<div><h3>{name}</h3><div>{write(a)}</div><div>{write(b)}</div></div>" for name, a, b in TAKES]
SCORECARDS = {
    "named columns": "<table><tr><th>Reviewer</th><th>Alpha</th><th>Bravo</th></tr>"
    + by_row("<tr><th>{name}</th><td>{a}</td><td>{b}</td></tr>")
    + "</table>",
    "a list": f"<ul>{by_row('<li><h3>{name}</h3><div>{a}</div><div>{b}</div></li>')}</ul>",
    "definitions": f"<dl>{by_row('<dt>{name}</dt><dd>{a}</dd><dd>{b}</dd>')}</dl>",
    "named cells": by_row(
        "<div><h3>{name}</h3><div><h4>Alpha</h4>{a}</div><div><h4>Bravo</h4>{b}</div></div>"
    ),
    "by tool": by_tool("<div><h4>{name}</h4>{take}</div>"),
    "a column a reviewer": "<table>"
    + "".join(
        f"<tr><th>{first}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        for first, *cells in (
            ("", *(name for name, *_ in TAKES)),
            ("Alpha", *(write(a) for _, a, _ in TAKES)),
            ("Bravo", *(write(b) for *_, b in TAKES)),
        )
    )
    + "</table>",
    "tabs": "<div><button>Alpha</button><button>Bravo</button></div>"
    + by_tool("<div><h4>{name}</h4>{take}</div>", ("<div>{}</div>", "<div hidden>{}</div>")),
    "a carousel that goes round": "".join((SLIDES[-1], *SLIDES, SLIDES[0])),
    "scores apart": f"<ul>{by_row('<li><h3>{name}</h3><div>{a}</div><div>{b}</div></li>')}</ul>".replace(
        "/100 · ", "/100</p><p>"
    ),
}  # fmt: skip
MARKUP |= {
    f"takes: {layout}": page(scorecard=f"<section><h2>Reviewer scorecard</h2>{html}</section>")
    for layout, html in SCORECARDS.items()
}


@pytest.mark.parametrize("markup", MARKUP)
def test_other_markup_changes_no_fact(markup):
    comparison = read(MARKUP[markup])
    assert facts(comparison) == make_expected()
    assert comparison.doubts == ()


@pytest.mark.parametrize("markup", [name for name in MARKUP if name.startswith(("takes", "cards", "labels above"))])
@pytest.mark.whole
def test_other_markup_of_another_layout_changes_no_fact(markup):
    deeper = MARKUP[markup].replace("<body>", f"<body>{'<div>' * 20}").replace(HEAD, f"<div>{HEAD}</div>")
    for pattern, into in ((LABELS, rf"{ICON}\1"), (r"<(/?)(?:h[1-4]|section|article)>", r"<\1div>")):
        deeper = change(pattern, into, deeper)
    assert facts(read(deeper)) == make_expected()
