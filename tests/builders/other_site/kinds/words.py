"""Names that are hard to tell from what stands around them."""

import json
from dataclasses import replace
from random import Random

from builders.other_site.facts import SIDES, WORDS, Pair, Take, filled, named, pair_of, with_takes
from builders.other_site.kinds.kind import ALL_MEDIA, HTML_ONLY, LABELLED, LINEAR, kinds_of
from builders.other_site.page import (
    Cell,
    Grid,
    Page,
    Part,
    Row,
    card_view,
    each_cell,
    each_grid,
    each_seat,
    each_take,
    is_of,
    labelled,
    swapped,
    text,
    with_block,
)


def twins(pair: Pair, random: Random) -> Pair:
    name = random.choice(WORDS["names"])
    return named(pair, name, name)


def labels(pair: Pair, random: Random) -> Pair:
    return named(pair, *random.sample([random.choice(WORDS["names_that_are_labels"]), pair.b.name], k=2))


def nested(pair: Pair, random: Random) -> Pair:
    return named(pair, *random.sample(random.choice(WORDS["names_that_nest"]), k=2))


def with_separator(pair: Pair, random: Random) -> Pair:
    return named(pair, *random.sample([random.choice(WORDS["names_with_separator"]), pair.a.name], k=2))


def other_scripts(pair: Pair, random: Random) -> Pair:
    return named(pair, *random.sample(WORDS["names_in_other_scripts"], k=2))


_names = kinds_of("names", "names", media=ALL_MEDIA)


NAMES = (
    _names("two tools of one name", facts=twins),
    _names("name that is a label", facts=labels),
    _names("name begins with the other", facts=nested),
    _names("name holds vs", facts=with_separator),
    _names("names in other scripts", facts=other_scripts),
)


NO_TAKE = ("-", "—", "Abstained", "N/A", "No verdict yet", "Did not review", "Not reviewed", "Pending")
SPINNER = '<svg class="animate-spin" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10"/></svg>'


def with_gaps(pair: Pair, random: Random) -> Pair:
    """At least one seat of each tool's row stays empty, in different rows; each tool keeps a take."""
    if len(pair.seats) < 2:
        tool = pair.b
        take = next(iter(tool.takes.values()))
        pair = replace(pair, seats=(*pair.seats, "Creator"))
        pair = with_takes(pair, "b", {"Creator": take})
    if all(len(pair.tool(side).takes) < len(pair.seats) for side in SIDES):
        return pair
    gaps = dict(zip(SIDES, random.sample(pair.seats, k=2), strict=True))
    for side, gap in gaps.items():
        takes = pair.tool(side).takes
        if len(takes) == len(pair.seats) and len(takes) > 1:
            pair = with_takes(pair, side, {seat: take for seat, take in takes.items() if seat != gap})
    return pair


def _gaps_as(change):
    def cell(cell: Cell) -> Cell:
        return change(cell) if any(part.role == "missing" for part in cell.parts) else cell

    return lambda page, _: each_cell(page, cell)


def _word(word):
    return _gaps_as(lambda cell: replace(cell, parts=(Part("missing", word),)))


def doubtful(change):
    """A gap that nothing on the page calls one: it need not be recorded as missing."""
    return lambda page, random: replace(change(page, random), doubtful_gaps=True)


_missing = kinds_of("missing", "gaps", media=LABELLED, facts=with_gaps)


MISSING = (
    *(_missing(f"{word} for a take", _word(word)) for word in NO_TAKE),
    _missing("Loading... for a take", doubtful(_word("Loading..."))),
    _missing(
        "empty cell", doubtful(_gaps_as(lambda cell: replace(cell, parts=()))), media=HTML_ONLY, doubtful_in=LINEAR
    ),
    _missing(
        "spinner only", doubtful(_gaps_as(lambda cell: replace(cell, parts=(Part("block", SPINNER),)))), media=HTML_ONLY
    ),
    _missing(
        "cell absent",
        doubtful(_gaps_as(lambda cell: replace(cell, parts=(), is_absent=True))),
        media=HTML_ONLY,
        demand="right or doubted",
    ),
)


def _parts(make):
    """A kind whose text consists of these parts."""

    def cell(cell: Cell, take: Take) -> Cell:
        return swapped(cell, "text", *make([text(sentence) for sentence in take.sentences]))

    return lambda page, _: each_take(page, cell)


def paragraphs(sentences):
    return [Part("text", sentence) for sentence in sentences]


def bullets(sentences):
    points = "".join(f"<li>{sentence}</li>" for sentence in sentences[1:])
    return [Part("text", sentences[0]), *([Part("block", f"<ul>{points}</ul>")] if points else [])]


def folded(sentences):
    rest = "".join(f"<p>{sentence}</p>" for sentence in sentences[1:])
    fold = f"<details><summary>Read more</summary>{rest}</details>"
    return [Part("text", sentences[0]), *([Part("block", fold)] if rest else [])]


def quoted(sentences):
    return [Part("block", f"<blockquote><p>{' '.join(sentences)}</p></blockquote>")]


def broken_lines(sentences):
    return [Part("text", "<br><br>".join(sentences))]


def quotation_marks(sentences):
    return [Part("text", f"“{' '.join(sentences)}”")]


def inline_code(sentences):
    return [Part("text", " ".join(_inline(sentence) for sentence in sentences))]


def _inline(sentence):
    first, _, rest = sentence.partition(" ")
    middle, _, last = rest.rpartition(" ")
    return f'<code>{first}</code> {middle} <a href="https://docs.example/x">{last}</a>'


def bold_lead(sentences):
    return [Part("text", " ".join([f"<strong>{sentences[0]}</strong>", *sentences[1:]]))]


def wrapped_words(sentences):
    """A span round each sentence, as editors and translators leave them."""
    return [Part("text", " ".join(f"<span>{sentence}</span>" for sentence in sentences))]


def _said(sentence):
    """A kind whose facts have one other take a tool."""

    def facts(pair: Pair, random: Random) -> Pair:
        for side in SIDES:
            takes = pair.tool(side).takes
            seat = random.choice(list(takes))
            changed = replace(takes[seat], sentences=sentence(random))
            pair = with_takes(pair, side, {**takes, seat: changed})
        return pair

    return facts


def short(random):
    return (random.choice(WORDS["short_takes"]),)


def like_a_head(random):
    return filled(random.choice(WORDS["takes_like_heads"]), random), filled(random.choice(WORDS["closings"]), random)


def like_a_label(random):
    return (random.choice(WORDS["takes_that_are_labels"]),)


_prose = kinds_of("prose", "text")
_takes = kinds_of("prose", "sentences")


PROSE = (
    _takes("very short take", facts=_said(short), media=ALL_MEDIA),
    _takes("take like a head", facts=_said(like_a_head), media=ALL_MEDIA),
    _takes("take that is a label", facts=_said(like_a_label), media=HTML_ONLY),
    _prose("several paragraphs", _parts(paragraphs), media=LABELLED),
    _prose("bullet list", _parts(bullets), media=LABELLED),
    _prose("rest folded", _parts(folded)),
    _prose("block quotation", _parts(quoted)),
    _prose("broken lines", _parts(broken_lines)),
    _prose("quotation marks", _parts(quotation_marks), media=LABELLED),
    _prose("code and links", _parts(inline_code)),
    _prose("bold lead", _parts(bold_lead)),
    _prose("sentences in spans", _parts(wrapped_words)),
)


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
    return _decision(page, lambda rows: (*rows[:at], extra, *rows[at:]))


def one_row_less(page: Page, _: Random) -> Page:
    page = _decision(page, lambda rows: tuple(row for row in rows if not is_of(row, "Best for")))
    return replace(page, lost=page.lost | {"decision best_for"})


def rows_in_another_order(page: Page, random: Random) -> Page:
    return _decision(page, lambda rows: tuple(random.sample(rows, k=len(rows))))


def _decision(page, change):
    return each_grid(page, "decision", lambda grid: replace(grid, rows=change(grid.rows)))


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


_extras = kinds_of("order and extras")


EXTRAS = (
    _extras("one Decision row more", one_row_more, "decision rows", media=LABELLED),
    _extras("one Decision row less", one_row_less, "decision rows", media=LABELLED),
    _extras("Decision rows in another order", rows_in_another_order, "decision rows", media=LABELLED),
    _extras("Decision twice", lambda page, _: replace(page, decision=page.decision * 2), "decision"),
    _extras("paragraph after the cards", _block("after cards", NOTE), "after cards", media=LABELLED),
    _extras("paragraph after the Decision", _block("after decision", NOTE), "after decision", media=LABELLED),
    _extras("table of contents", _block("top", CONTENTS), "top"),
    _extras("breadcrumb", _block("top", BREADCRUMB), "top"),
    _extras("cookie banner", _block("top", COOKIES), "top"),
    _extras("summary bar on top", _summary("top"), "top"),
    _extras("summary bar at the bottom", _summary("bottom"), "bottom"),
    _extras("questions at the end", _block("bottom", QUESTIONS), "bottom"),
    _extras("newsletter between sections", _block("after decision", NEWSLETTER), "after decision"),
    _extras("card copies", lambda page, _: replace(page, phone_cards=page.cards), "copies"),
    _extras("page copies", _set(has_page_copies=True), "copies"),
    _extras("related tools", related_tools, "related", media=ALL_MEDIA),
    _extras("related tools first", related_first, "related"),
    _extras("readers' reviews", readers, "readers"),
    _extras("biography under the seat", biography, "biography", media=LABELLED),
    _extras("tabs", _set(section_form="tabs"), "form"),
    _extras("accordions", _set(section_form="accordions"), "form"),
    _extras("another footer", _set(closing=FOOTER), "footer", media=ALL_MEDIA, doubtful_in=frozenset({"innertext"})),
    _extras("no end tags", _set(has_end_tags=False), "footer"),
    _extras("data script", data_script, "bottom"),
    _extras("structured data", structured_data, "top"),
    _extras("no footer", _set(closing=()), "footer"),
    _extras("scorecard before Decision", _set(sections=("cards", "scorecard", "decision")), "sections", media=LABELLED),
    _extras("Decision before cards", _set(sections=("decision", "cards", "scorecard")), "sections"),
)
