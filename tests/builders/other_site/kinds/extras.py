"""More on the page than there was, less, or the same in another place."""

import json
from dataclasses import replace
from random import Random

from builders.other_site.changes import each_seat, is_of, with_block
from builders.other_site.facts import SIDES, pair_of
from builders.other_site.kinds.kind import ALL_MEDIA, HTML_ONLY, LABELLED, Kind
from builders.other_site.page import Cell, Grid, Page, Part, Row, card_view, labelled, text
from builders.other_site.words import WORDS

NOTE = "<p>Scores are given before the panel talks, and are not changed afterwards.</p>"
CONTENTS = (
    '<nav><ul><li><a href="#cards">Tools</a></li><li><a href="#decision">Decision</a></li>'
    '<li><a href="#scores">Reviewer scorecard</a></li></ul></nav>'
)
BREADCRUMB = '<nav aria-label="Breadcrumb"><a href="/">Home</a> / <a href="/compare">Compare</a></nav>'
COOKIES = (
    '<div role="dialog"><p>We count visits. No names are kept.</p><button>Accept</button><button>Decline</button></div>'
)
QUESTIONS = (
    "<section><h2>Questions</h2><h3>Who sits on the panel?</h3><p>Working engineers, founders and product people.</p>"
    "<h3>What does 75% mean?</h3><p>Three of four seats would ship the tool.</p></section>"
)
NEWSLETTER = '<form><h3>Weekly AI Tool Verdicts</h3><input type="email"><button>Subscribe</button></form>'
FOOTER = ("About", "Imprint", "Terms of use", "Made by people who read changelogs.")


def _block(place, html):
    return lambda page, _: with_block(page, place, html)


def _set(**changes):
    return lambda page, _: replace(page, **changes)


def one_row_more(page: Page, random: Random) -> Page:
    extra = labelled("Open source", *random.choice((("Yes", "No"), ("No", "Yes"), ("Partly", "No"))))
    at = random.randint(1, 5)
    return _each_decision(page, lambda rows: (*rows[:at], extra, *rows[at:]))


def one_row_less(page: Page, _: Random) -> Page:
    page = _each_decision(page, lambda rows: tuple(row for row in rows if not is_of(row, "Best for")))
    return replace(page, lost=page.lost | {"decision best_for"})


def rows_in_another_order(page: Page, random: Random) -> Page:
    return _each_decision(page, lambda rows: tuple(random.sample(rows, k=len(rows))))


def _each_decision(page, change):
    return replace(page, decision=tuple(replace(grid, rows=change(grid.rows)) for grid in page.decision))


def decision_twice(page: Page, _: Random) -> Page:
    return replace(page, decision=(*page.decision, *page.decision))


def card_copies(page: Page, _: Random) -> Page:
    return replace(page, phone_cards=page.cards)


def related_tools(page: Page, random: Random) -> Page:
    tools = [tool for pair in (pair_of(random), pair_of(random)) for tool in pair.tools]
    names = {tool.name for tool in page.pair.tools}
    return replace(page, related=tuple(card_view("a", tool) for tool in tools if tool.name not in names))


def related_first(page: Page, random: Random) -> Page:
    return replace(related_tools(page, random), is_related_first=True)


def readers(page: Page, random: Random) -> Page:
    """A section of readers after the panel's, in the same form: a name, a score and a text."""
    names, texts = (random.sample(WORDS[pool], k=3) for pool in ("readers", "reader_reviews"))
    rows = []
    for name, said in zip(names, texts, strict=True):
        cell = Cell(None, (Part("head", f"{random.randint(30, 99)}/100 · ship"), Part("text", said)))
        rows.append(Row((Part("seat", text(name)),), (cell,)))
    return replace(page, readers=Grid(tuple(rows)))


def biography(page: Page, random: Random) -> Page:
    def row(row: Row) -> Row:
        return replace(row, label=(*row.label, Part("note", text(random.choice(WORDS["biographies"])))))

    return each_seat(page, row)


def _summary(place):
    def change(page: Page, _: Random) -> Page:
        parts = [f"<b>{text(page.pair.tool(side).name)}</b> <span>{page.pair.tool(side).pct}%</span>" for side in SIDES]
        return with_block(page, place, f'<div class="sticky">{" vs ".join(parts)} <a href="#scores">Scores</a></div>')

    return change


def data_script(page: Page, _: Random) -> Page:
    """What a framework ships for its own start: the page's words once more."""
    tools = [{"name": tool.name, "panelShip": f"{tool.pct}%", "tagline": tool.tagline} for tool in page.pair.tools]
    data = json.dumps(json.dumps({"title": page.title, "labels": ["Panel ship", "Decision"], "tools": tools}))
    return with_block(page, "bottom", f"<script>self.__next_f.push([1,{data}])</script>")


def structured_data(page: Page, _: Random) -> Page:
    items = [{"@type": "SoftwareApplication", "name": tool.name} for tool in page.pair.tools]
    data = json.dumps({"@context": "https://schema.org", "@type": "ItemList", "itemListElement": items})
    return with_block(page, "top", f'<script type="application/ld+json">{data}</script>')


def _kind(name, page, touches, media=HTML_ONLY, **more):
    return Kind("order and extras", name, page, touches=frozenset({touches}), media=media, **more)


KINDS = (
    _kind("one Decision row more", one_row_more, "decision rows", LABELLED),
    _kind("one Decision row less", one_row_less, "decision rows", LABELLED),
    _kind("Decision rows in another order", rows_in_another_order, "decision rows", LABELLED),
    _kind("Decision twice", decision_twice, "decision"),
    _kind("paragraph after the cards", _block("after cards", NOTE), "after cards", LABELLED),
    _kind("paragraph after the Decision", _block("after decision", NOTE), "after decision", LABELLED),
    _kind("table of contents", _block("top", CONTENTS), "top"),
    _kind("breadcrumb", _block("top", BREADCRUMB), "top"),
    _kind("cookie banner", _block("top", COOKIES), "top"),
    _kind("summary bar on top", _summary("top"), "top"),
    _kind("summary bar at the bottom", _summary("bottom"), "bottom"),
    _kind("questions at the end", _block("bottom", QUESTIONS), "bottom"),
    _kind("newsletter between sections", _block("after decision", NEWSLETTER), "after decision"),
    _kind("card copies", card_copies, "copies"),
    _kind("page copies", _set(has_page_copies=True), "copies"),
    _kind("related tools", related_tools, "related", ALL_MEDIA),
    _kind("related tools first", related_first, "related"),
    _kind("readers' reviews", readers, "readers"),
    _kind("biography under the seat", biography, "biography", LABELLED),
    _kind("tabs", _set(section_form="tabs"), "form"),
    _kind("accordions", _set(section_form="accordions"), "form"),
    _kind("another footer", _set(closing=FOOTER), "footer", ALL_MEDIA, doubtful_in=frozenset({"innertext"})),
    _kind("no end tags", _set(has_end_tags=False), "footer"),
    _kind("data script", data_script, "bottom"),
    _kind("structured data", structured_data, "top"),
    _kind("no footer", _set(closing=()), "footer"),
    _kind("scorecard before Decision", _set(sections=("cards", "scorecard", "decision")), "sections", LABELLED),
    _kind("Decision before cards", _set(sections=("decision", "cards", "scorecard")), "sections"),
)
