"""Lists and tables in the shapes of the open web, and pages that promise tools and have none."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from comparison_bench.gallery.facts import (
    Answer,
    AnsweredTool,
    Cell,
    Layouts,
    Page,
    Shelf,
    Tool,
    items,
    layout,
    make_cells,
    paragraphs,
    row,
    tag,
    text,
)
from comparison_bench.gallery.listicles import fact_list, list_answer, make_answer, section, surround
from comparison_bench.gallery.tables import table_answer

SHAPES: Layouts = {}

AWARDS = ("Best overall", "Easiest to use", "Best on a budget", "Fastest of all", "Best for archives", "Most calm")
PRAISE = ("Best overall", "Best for offices", "Best for travel", "Best for two", "Best on a budget", "Best for schools")


def _audience(award: str) -> str | None:
    """Whom a tool is best for, if its award says so: `Best for offices`, not `Best overall`."""
    return award if " for " in award else None


def _page(
    at: Shelf,
    title: str,
    parts: Iterable[str],
    tools: Iterable[AnsweredTool] | None = None,
    cells: Iterable[Cell] | None = None,
) -> Page:
    """A page whose parts say all facts of all tools, where nothing else is given."""
    return Page(title, surround(at, *parts), replace(table_answer(at, tools, cells), prose=at.prose))


def _lines(pairs: Sequence[tuple[str, str]]) -> str:
    return tag("ul", *(tag("li", f"{text(label)}: {text(value)}") for label, value in pairs))


def _both(at: Shelf, tool: Tool, level: str) -> str:
    """What is for it and against it, below headings."""
    return "".join(tag(level, at.words[side][0]) + items(getattr(tool, side)) for side in ("pros", "cons"))


def _table(tools: Sequence[Tool], corner: str, facts: Sequence[int]) -> str:
    heads = row([corner, *(text(tools[0].facts[fact].label) for fact in facts)], "th")
    lines = (row([text(one.name), *(text(one.facts[fact].value) for fact in facts)]) for one in tools)
    return tag("table", heads, *lines)


@layout(SHAPES, lambda form: 6 + form)
def ranks_through_groups(at: Shelf) -> Page:
    """Numbers go on over two groups; advice below them has headings of the same level."""
    mark = ("{}. ", "#{} ", "{}) ")[at.form]
    parts = [section(tool, at, f"{mark.format(rank)}{tool.name}", "h3") for rank, tool in enumerate(at.tools, start=1)]
    groups = (tag("h2", "For one desk"), *parts[:3], tag("h2", "For a whole floor"), *parts[3:])
    steps = (tag("h3", head) + paragraphs(at.intro[:1]) for head in ("Count your files", "Ask for a trial", "Wait"))
    main = surround(at, *groups, tag("h2", "How to choose"), *steps)
    return Page(at.title("listing"), main, list_answer(at, [*range(1, len(at.tools) + 1)]))


@layout(SHAPES, 7)
def values_below_headings(at: Shelf) -> Page:
    """Entries of an ordered list; their labels are headings, their values below."""
    entries = (
        tag("h2", text(tool.name))
        + paragraphs(tool.prose)
        + "".join(tag("h4", text(label)) + items([value]) for label, value in tool.pairs)
        + tag("a", f"Visit {text(tool.name)}", href=tool.address)
        for tool in at.tools
    )
    title = at.title("uncounted") if at.form else f"The best {at.others[0]} alternatives"
    return _page(at, title, [tag("ol", *(tag("li", entry) for entry in entries))])


@layout(SHAPES, 5)
def awards_above(at: Shelf) -> Page:
    """An award is the heading, the name a linked heading below it, `Key specs` one of the same level."""
    parts = (
        tag("h2", award)
        + tag("h3", tag("a", text(tool.name), href=tool.address) if at.form else text(tool.name))
        + paragraphs(tool.prose)
        + tag("h3", "Key specs")
        + _lines(tool.pairs)
        for award, tool in zip(AWARDS, at.tools, strict=False)
    )
    return _page(at, at.title("listing" if at.form < 2 else "uncounted"), parts)


@layout(SHAPES, 6)
def awards_beside(at: Shelf) -> Page:
    """`Alpha – Best overall`, `Best overall app: Alpha ($9)`, and who should buy it."""
    form = ("{name} – {award}", "{award} among {subject}: {name} (${amount})", "{award}: {name}")[at.form]
    parts, tools, cells = [], [], []
    for award, tool in zip(PRAISE, at.tools, strict=True):
        heading = form.format(name=tool.name, award=award, amount=tool.amount, subject=at.subject)
        pairs = [(fact.label, fact.value) for fact in tool.facts if fact.meaning not in ("price", "best_for")]
        who = tag("h3", f"Who should buy {text(tool.name)}?") + paragraphs(tool.prose[1:])
        parts.append(
            tag("h2", text(heading)) + _both(at, tool, "h3") + paragraphs(tool.prose[:1]) + fact_list(at, pairs) + who
        )
        praise = f"{award} among {at.subject}" if at.form == 1 else award
        price = f"${tool.amount}" if at.form == 1 else None
        tools.append(replace(make_answer(tool), price=price, best_for=_audience(praise)))
        said = [(at.words[side][0], entry) for side in ("pros", "cons") for entry in getattr(tool, side)]
        cells += make_cells(tool.name, [*pairs, *said])
    return _page(at, at.title("uncounted"), parts, tools, cells)


@layout(SHAPES, 7)
def fact_lines(at: Shelf) -> Page:
    """Labels in lines, for and against below headings of the names' level, and a table of the names."""
    forms = ("<p><b>{}:</b> {}</p>", "<div><span>{}:</span> <span>{}</span></div>", "<p>{}: {}</p>")
    parts = (
        tag("h3", text(tool.name))
        + "".join(forms[at.form].format(text(label), text(value)) for label, value in tool.pairs)
        + _both(at, tool, "h3")
        + paragraphs(tool.prose)
        for tool in at.tools
    )
    table = tag("h2", "All in one table") + _table(at.tools, "Name", (0, 3, 4))
    main = surround(at, tag("h2", "Picks"), *parts, table)
    return Page(at.title("uncounted"), main, list_answer(at, [None] * len(at.tools)))


@layout(SHAPES, 5)
def labels_beside_names(at: Shelf) -> Page:
    """Headings of the names' level hold their facts; others below name parts; a price is a link to a shop."""
    parts, tools, cells = [], [], []
    for award, tool in zip(AWARDS, at.tools, strict=False):
        price = f"${tool.amount} {('on Lumenary', 'at Old Mill', 'on Reed')[at.form]}"
        facts = "<br>".join(f"<b>{text(label)}:</b> {text(value)}" for label, value in tool.pairs[1:])
        told = tag("h4", f"{award}, we say") + paragraphs(tool.prose)
        link = tag("p", tag("a", text(price), href=tool.address))
        parts.append(tag("h3", text(tool.name)) + link + tag("h3", "Details") + tag("p", facts) + told)
        tools.append(replace(make_answer(tool), price=price))
        cells += make_cells(tool.name, tool.pairs[1:])
    return _page(at, at.title("uncounted"), parts, tools, cells)


@layout(SHAPES, 8)
def bold_names(at: Shelf) -> Page:
    """No headings: names in paragraphs of bold words, over or beside a picture."""
    ranks = [None if at.form == 1 else rank for rank in range(1, len(at.tools) + 1)]
    picture = ("", '<p><img src="/p.png" alt=""></p>', '<img src="/p.png" alt=""><br>')[at.form]
    parts, tools = [], []
    for rank, tool in zip(ranks, at.tools, strict=True):
        name = tag("a", text(tool.name), href=tool.address) if at.form == 1 else f"{rank}. {text(tool.name)}"
        bold = tag("p", picture + tag("strong", name)) if at.form == 2 else tag("p", tag("strong", name)) + picture
        parts.append(bold + paragraphs(tool.prose))
        tools.append(AnsweredTool(tool.name, rank))
    return _page(at, at.title("listing"), parts, tools, ())


@layout(SHAPES, 9)
def table_then_best(at: Shelf) -> Page:
    """A table of as many as the title says, and a numbered list of the best of them."""
    table = _table(at.tools, ("Company", "Tool", "Name")[at.form], (0, 1, 2, 3))
    best = (
        tag("h3", f"{rank}. {text(tool.name)}") + paragraphs(tool.prose) for rank, tool in enumerate(at.tools[:4], 1)
    )
    cells = (cell for tool in at.tools for cell in make_cells(tool.name, tool.pairs[:4]))
    parts = (table, tag("h2", "Four that grow"), *best)
    return _page(at, f"Top {len(at.tools)} {at.subject} of 2026", parts, cells=cells)


@layout(SHAPES, 8)
def rank_column(at: Shelf) -> Page:
    """A table with a column of numbers, and a line that sums up."""
    heads = row(["Rank", "Company", "Sold", "Change"], "th")
    sold = [(tool.name, f"{at.random.randint(1, 90)}{n},{n}50", f"{n}.4%") for n, tool in enumerate(at.tools, 1)]
    lines = [row([str(rank), *map(text, one)]) for rank, one in enumerate(sold, 1)]
    total = row(["", ("Total", "Average", "Total, all makers")[at.form], "912,340", "2.1%"])
    columns = ("Sold", "Change", "Rank")
    cells = (
        cell
        for rank, (name, *said) in enumerate(sold, 1)
        for cell in make_cells(name, zip(columns, (*said, str(rank)), strict=True))
    )
    tools = (AnsweredTool(tool.name, rank) for rank, tool in enumerate(at.tools, 1))
    table = tag("table", heads, *lines, total)
    return _page(at, f"Top {len(at.tools)} {at.subject} by sales", [table], tools, cells)


@layout(SHAPES, 6)
def same_first_column(at: Shelf) -> Page:
    """A table for each thing that is compared, each with the names below each other."""
    parts = (
        tag("h2", text(at.tools[0].facts[fact].label)) + _table(at.tools, ("Platform", "", "Tool")[at.form], (fact,))
        for fact in (0, 1, 3, 4)
    )
    cells = (cell for tool in at.tools for cell in make_cells(tool.name, [tool.pairs[fact] for fact in (0, 1, 3, 4)]))
    tools = (replace(make_answer(tool), best_for=None) for tool in at.tools)
    title = f"{at.subject.capitalize()} compared: {('a', 'the', 'our')[at.form]} guide"
    return _page(at, title, parts, tools, cells)


@layout(SHAPES, 5)
def short_forms(at: Shelf) -> Page:
    """Headings have a kind and a long name, or a badge is in a column's head; a table has the short forms."""
    long = [replace(tool, name=f"{tool.name} Desktop Edition" if at.form < 2 else tool.name) for tool in at.tools]
    kinds = ("Desk tool: ", "Floor tool: ", "Desk tool: ", "Pocket tool: ", "Floor tool: ")
    before = [f"{rank}. {kind}" if at.form == 1 else "" for rank, kind in enumerate(kinds, 1)]
    parts = (
        tag("h3", text(f"{said}{tool.name}")) + paragraphs(tool.prose) + _lines(tool.pairs[:3])
        for said, tool in zip(before, long, strict=True)
    )
    badges = [f"<br><small>{award}</small>" if at.form == 2 else "" for award in AWARDS]
    heads = (text(tool.name) + badge for tool, badge in zip(at.tools, badges, strict=False))
    labelled = ([tool.pairs[fact] for tool in at.tools] for fact in (3, 4))
    lines = (row([pairs[0][0], *(text(value) for _, value in pairs)]) for pairs in labelled)
    table = tag("table", row(["", *heads], "th"), *lines)
    cells = (cell for tool in long for cell in make_cells(tool.name, tool.pairs[:5]))
    tools = (make_answer(tool, rank if at.form == 1 else None) for rank, tool in enumerate(long, 1))
    return _page(at, at.title("listing"), (table, tag("h2", "Picks"), *parts), tools, cells)


@layout(SHAPES, 8)
def linked_boxes(at: Shelf) -> Page:
    """No headings: a box has a number, a linked name, a linked rating and a price, and not each has all of them."""
    boxes, tools = [], []
    for rank, tool in enumerate(at.tools, start=1):
        name = f"{tool.name} for desks and shared floors, with {at.others[0]} import, in grey" if at.form else tool.name
        stars = f"{tool.rating} out of 5"
        price = None if at.form == 2 and rank == 3 else f"${tool.amount}"
        count = tag("div", tag("a", f"{stars} stars {tool.ratings:,}", href=f"/opinions/{rank}"))
        shown = tag("a", tag("div", text(name)), href=tool.address)
        maker = tag("a", tag("div", "Bramble &amp; Son"), href="/makers/7") if at.form == 1 else ""
        cost = tag("div", tag("span", price)) if price else ""
        boxes.append((tag("div", f"#{rank}") if at.form != 1 else "") + shown + maker + count + cost)
        tools.append(AnsweredTool(name, None if at.form == 1 else rank, price, stars))
    if at.form == 1:
        rows = (boxes[:3], boxes[3:6], boxes[6:])
        parts = [tag("div", *(tag("div", tag("div", box)) for box in boxes)) for boxes in rows]
    else:
        parts = [tag("ol", *(tag("li", tag("div", box)) for box in boxes))]
    return _page(at, f"Best sellers in {at.subject}", parts, tools, ())


@layout(SHAPES, 6)
def figures(at: Shelf) -> Page:
    """A figure over its label, a label and its figure in one chip, or the tool's name in the labels of its parts."""
    figures = [(("Days tried", f"{at.random.randint(9, 90)}"), ("Startup", f"{n}.{n} s")) for n in range(1, 7)]
    over = "<div><p>{1}</p><div>{0}</div></div>"
    chip = "<div><span>{0} <b>{1}</b></span><span><i>since</i> 2019</span></div>"
    parts, cells = [], []
    for tool, pairs in zip(at.tools, figures, strict=True):
        said = (
            pairs
            if at.form < 2
            else [(side.capitalize(), one) for side in ("pros", "cons") for one in getattr(tool, side)]
        )
        tabs = tag("div", *(tag("button", head) for head in ("Overview", "Pricing"))) if at.form == 1 else ""
        named = "".join(
            tag("h3", f"{text(tool.name)} {side}") + items(getattr(tool, side)) for side in ("pros", "cons")
        )
        shown = named if at.form == 2 else "".join((over, chip)[at.form].format(*map(text, pair)) for pair in pairs)
        parts.append(tag("h2", text(tool.name)) + tabs + shown + paragraphs(tool.prose))
        cells += make_cells(tool.name, said)
    tools = [AnsweredTool(tool.name) for tool in at.tools]
    return _page(at, at.title("listing"), parts, tools, cells)


@layout(SHAPES, 5)
def picks(at: Shelf) -> Page:
    """A short list of awards with the names behind a colon, over sections, or alone with links."""
    lines, parts, tools = [], [], []
    for award, tool in zip(AWARDS, at.tools, strict=False):
        name = tag("a", text(tool.name), href=tool.address)
        lines.append(tag("li", f"<b>{award}:</b> {name}", *(f" (${tool.amount})" for _ in range(at.form // 2))))
        heading = f"{tool.name} Desktop" if at.form == 1 else tool.name
        parts.append(tag("h2", text(heading)) + paragraphs(tool.prose) + _lines(tool.pairs[3:6]))
        tools.append(AnsweredTool(heading, best_for=_audience(award)))
    cells = [cell for tool, one in zip(tools, at.tools, strict=True) for cell in make_cells(tool.name, one.pairs[3:6])]
    below, told = (parts, cells) if at.form < 2 else ([paragraphs(at.tools[0].prose)], [])
    return _page(at, f"The best {at.subject} we know", [tag("ul", *lines), *below], tools, told)


@layout(SHAPES, 7)
def plain_boxes(at: Shelf) -> Page:
    """No headings and no links: a number, a name, a score in a badge, words, a price over its unit, in boxes alike."""
    per = ("per month", "a month", "/month")[at.form]
    boxes, tools = [], []
    for rank, tool in enumerate(at.tools, start=1):
        score = f"{tool.rating}"
        top = tag("div", f"0{rank}") if at.form == 0 else ""
        badge = '<div class="box-score">' + score + "</div>"
        cost = tag("div", f"${tool.amount}") + tag("div", per)
        boxes.append(top + tag("div", text(tool.name)) + badge + tag("div", text(tool.prose[0])) + cost)
        price = f"${tool.amount}{'' if per[0] == '/' else ' '}{per}"
        tools.append(AnsweredTool(tool.name, rank if at.form == 0 else None, price, score))
    parts = [tag("div", *(tag("div", box) for box in boxes))]
    return _page(at, f"The best {at.subject} of May", parts, tools, ())


@layout(SHAPES, 6)
def badged_heads(at: Shelf) -> Page:
    """The heads of a table's columns have a badge, the name, its price and a button."""
    badges = ("Sale", "New", "Most popular", "", "Recommended", "Our top pick")
    heads = (
        (tag("div", badge) if badge else "") + tag("a", text(tool.name), href=tool.address)
        + tag("span", f"${tool.amount}") + tag("button", "Add to cart")
        for badge, tool in zip(badges, at.tools, strict=True)
    )  # fmt: skip
    labelled = ([tool.pairs[fact] for tool in at.tools] for fact in (3, 4, 5))
    lines = (row([pairs[0][0], *(text(value) for _, value in pairs)]) for pairs in labelled)
    table = tag("table", row(["", *heads], ("th", "td", "th")[at.form]), *lines)
    sections = (tag("h3", text(tool.name)) + paragraphs(tool.prose) for tool in at.tools)
    tools = [AnsweredTool(tool.name, price=f"${tool.amount}") for tool in at.tools]
    cells = [cell for tool in at.tools for cell in make_cells(tool.name, tool.pairs[3:6])]
    return _page(at, f"{at.subject.capitalize()} compared", [table, *sections], tools, cells)


@layout(SHAPES, 6)
def prizes_over(at: Shelf) -> Page:
    """An award over each name, or before it; accordions; the score is drawn, named, or in a badge."""
    shown = (
        '<div class="stars"><span style="width:{0}%"></span></div>',
        '<span role="img" aria-label="Rated {1} out of 5 stars"></span>',
        '<div class="score"><b>{1}</b> <i>Excellent</i></div>',
    )[at.form]
    names = (
        '<span class="pick">{0}</span><h2>{1}</h2>',
        "<h2>{0}: {1}</h2>",
        "<details open><summary>{0}: {1}</summary>",
    )[at.form]
    parts, tools = [], []
    for award, tool in zip(AWARDS, at.tools, strict=False):
        percent = int(float(tool.rating) * 20)
        score = shown.format(percent, tool.rating)
        said = f"<p>{text(tool.name)} is what we kept.</p>{paragraphs(tool.prose)}<p>Buy for ${tool.amount}</p>"
        part = names.format(award, text(tool.name)) + score + said + ("</details>" if at.form == 2 else "")
        parts.append(f"<section>{part}</section>")
        rating = (f"{percent}%", f"{tool.rating} out of 5", tool.rating)[at.form]
        tools.append(AnsweredTool(tool.name, price=f"${tool.amount}", rating=rating, best_for=_audience(award)))
    return _page(at, f"The {len(tools)} best {at.subject}", parts, tools, ())


@layout(SHAPES, 4)
def nothing_promised(at: Shelf) -> Page:
    """Tips, trends and mistakes, numbered through."""
    title = ("4 best tips for {}", "Top 4 trends in {}", "4 mistakes with the best {}")[at.form].format(at.subject)
    heads = ("Begin with a list", "Throw one away", "Ask a colleague", "Look again in May")
    parts = (tag("h2", f"{n}. {head}") + paragraphs([at.intro[n - 1]]) for n, head in enumerate(heads, 1))
    return Page(title, surround(at, *parts), Answer(None, prose=tuple(at.intro)))


@layout(SHAPES, 4)
def promise_unkept(at: Shelf) -> Page:
    """A title of the best, or of two sides, over parts to look for, months, and numbers of two teams."""
    answer = Answer(None, breaks=("promise_unkept",), prose=tuple(at.intro))
    if at.form == 2:
        goals = (("", "Hearts", "Thistle"), ("Goals", "2", "1"), ("Possession", "54%", "46%"), ("Fouls", "9", "12"))
        return Page("Hearts vs Thistle: the numbers", surround(at, tag("table", *map(row, goals))), answer)
    heads = (("Search", "Versions", "Shared folders", "Shortcuts"), ("January", "February", "March", "April"))[at.form]
    said = "Look at this with care, for a day or two, since nobody else does; then write down how it went in your book."
    parts = (tag("h3", head) + paragraphs([f"{said} Good {head.lower()} saves an hour."]) for head in heads)
    return Page(f"The best {at.subject} we know", surround(at, tag("h2", "What counts"), *parts), answer)
