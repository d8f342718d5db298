"""Redesigns of a comparison page: the same facts and words in another DOM. Each choice is a named function."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from verdicts.demo_site.site_facts import Facts, Pair, Tool
from verdicts.demo_site.site_pages import (
    BOOKMARKS,
    EYEBROW,
    INTRO,
    NEWSLETTER,
    NO_TAKE,
    link,
    list_decision_rows,
    make_page_title,
    render_document,
    text,
)


@dataclass(frozen=True)
class Design:
    """How each part of a page is laid out, by name."""

    cards: str = "articles"
    stats: str = "value first"
    decision: str = "table"
    scorecard: str = "table"
    order: tuple[str, ...] = ("cards", "decision", "scorecard")


def page(facts: Facts, pair: Pair, design: Design) -> str:
    """The whole page in a design; nothing of it is lost."""
    sections = {
        "cards": CARDS[design.cards](facts, pair, STATS[design.stats]),
        "decision": f"<section><h2>Decision</h2>{DECISIONS[design.decision](facts, pair)}</section>",
        "scorecard": f"<section><h2>Reviewer scorecard</h2>{SCORECARDS[design.scorecard](facts, pair)}</section>",
    }
    title = facts.title(pair)
    body = f"""<header><a href="/">Ship or Skip</a></header><main><p>{EYEBROW}</p><h1>{text(title)}</h1><p>{INTRO}</p>
{"".join(sections[name] for name in design.order)}</main>
<footer>{"".join(f"<p>{words}</p>" for words in (*NEWSLETTER, *BOOKMARKS))}</footer>"""
    return render_document(make_page_title(facts, pair), pair.path, body)


Stats = Callable[[str, str], str]
"""Label and value become markup."""

STATS: dict[str, Stats] = {
    "value first": lambda label, value: f"<div><b>{text(value)}</b><small>{label}</small></div>",
    "label first": lambda label, value: f"<div><small>{label}</small><b>{text(value)}</b></div>",
    "one text": lambda label, value: f"<p>{label}: {text(value)}</p>",
    "one text, split": lambda label, value: f"<p><b>{label}</b>: <span>{text(value)}</span></p>",
    "definition list": lambda label, value: f"<dl><dt>{label}</dt><dd>{text(value)}</dd></dl>",
    "list item": lambda label, value: f"<ul><li><span>{label}</span><span>{text(value)}</span></li></ul>",
}


def stats(tool: Tool) -> tuple[tuple[str, str], ...]:
    return (("Panel ship", f"{tool.panel_pct}%"), ("Community", tool.community_share or "—"), ("Entry", tool.entry))


def name(tool: Tool) -> str:
    return link(f"/tool/{tool.slug}", tool.name)


def card(tool: Tool, stat: Stats, tag: str = "article") -> str:
    numbers = "".join(stat(label, value) for label, value in stats(tool))
    return (
        f"<{tag}><p>{text(tool.monogram)}</p><p>{text(tool.category)}</p><h3>{name(tool)}</h3>"
        f"<p>{text(tool.tagline)}</p><p>{tool.chip}</p>{numbers}<p>{text(tool.description)}</p></{tag}>"
    )


def articles(facts: Facts, pair: Pair, stat: Stats) -> str:
    return "".join(card(tool, stat) for tool in facts.cards(pair))


def carousel(facts: Facts, pair: Pair, stat: Stats) -> str:
    slides = "".join(f"<li>{card(tool, stat, 'div')}</li>" for tool in facts.cards(pair))
    return f'<div class="carousel"><button>Previous</button><ul>{slides}</ul><button>Next</button></div>'


CARDS = {"articles": articles, "carousel": carousel}


Lines = Callable[[Facts, Pair], Iterable[tuple[str, str, str]]]
"""A label, what stands there of A, and what of B, as markup."""


def decisions(facts: Facts, pair: Pair) -> Iterable[tuple[str, str, str]]:
    return ((label, text(of_a), text(of_b)) for label, of_a, of_b in list_decision_rows(facts, pair))


def takes(facts: Facts, pair: Pair) -> Iterable[tuple[str, str, str]]:
    for row in facts.scorecard(pair):
        yield (
            row.reviewer,
            *(
                NO_TAKE if take is None else f"<p>{take.score}/100 · {take.verdict}</p><p>{text(take.text)}</p>"
                for take in (row.a, row.b)
            ),
        )


def make_table_writer(lines: Lines, table: str, line: str) -> Callable[[Facts, Pair], str]:
    """A table by its templates: all of it around its lines, and a line."""

    def write(facts: Facts, pair: Pair) -> str:
        names = dict(zip(("name_a", "name_b"), (text(tool.name) for tool in facts.cards(pair)), strict=True))
        rows = (line.format(label=label, a=of_a, b=of_b, **names) for label, of_a, of_b in lines(facts, pair))
        return table.format(rows="".join(rows), **names)

    return write


def by_tool(lines: Lines, part: str, line: str) -> Callable[[Facts, Pair], str]:
    """All that is said of A, then all of B."""

    def write(facts: Facts, pair: Pair) -> str:
        parts = ""
        for column, tool in enumerate(facts.cards(pair), start=1):
            rows = (line.format(label=row[0], value=row[column]) for row in lines(facts, pair))
            parts += part.format(name=text(tool.name), rows="".join(rows))
        return parts

    return write


def decision_transposed(facts: Facts, pair: Pair) -> str:
    """A row a tool, the labels in the head."""
    labels, *values = zip(*decisions(facts, pair), strict=True)
    head = "".join(f"<th>{label}</th>" for label in labels)
    tools = "".join(
        f"<tr><th>{text(tool.name)}</th>{''.join(f'<td>{value}</td>' for value in of_tool)}</tr>"
        for tool, of_tool in zip(facts.cards(pair), values, strict=True)
    )
    return f"<table><tr><td></td>{head}</tr>{tools}</table>"


def turn_table(facts: Facts, pair: Pair) -> str:
    """A column a reviewer, a row a tool."""
    reviewers, *told = zip(*takes(facts, pair), strict=True)
    rows = [["", *reviewers], *([text(tool.name), *of] for tool, of in zip(facts.cards(pair), told, strict=True))]
    lines = (f"<tr><th>{first}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>" for first, *cells in rows)
    return f"<table>{''.join(lines)}</table>"


def tabs(facts: Facts, pair: Pair) -> str:
    """A button a tool, and all its takes in a panel; that of the second is hidden."""
    buttons = "".join(f"<button>{text(tool.name)}</button>" for tool in facts.cards(pair))
    panels = by_tool(takes, "<div{name}>{rows}</div>", "<div><h4>{label}</h4>{value}</div>")(facts, pair)
    for tool, is_open in zip(facts.cards(pair), ("", " hidden"), strict=True):
        panels = panels.replace(f"<div{text(tool.name)}>", f"<div{is_open}>", 1)
    return f"<div>{buttons}</div>{panels}"


def slides(facts: Facts, pair: Pair) -> str:
    """A carousel that goes round: its last slide stands before the first, too, and the first behind the last."""
    row = "<div><h3>{label}</h3><div>{a}</div><div>{b}</div></div>"
    shown = [row.format(label=label, a=of_a, b=of_b) for label, of_a, of_b in takes(facts, pair)]
    return "".join((shown[-1], *shown, shown[0]))


ROW = "<tr><th>{label}</th><td>{a}</td><td>{b}</td></tr>"
DECISIONS = {
    "table": make_table_writer(
        decisions, "<table><tr><td></td><th>{name_a}</th><th>{name_b}</th></tr>{rows}</table>", ROW
    ),
    "label last": make_table_writer(decisions, "<div>{rows}</div>", "<div><p>{a}</p><p>{b}</p><p>{label}</p></div>"),
    "label between": make_table_writer(decisions, "<div>{rows}</div>", "<div><p>{a}</p><p>{label}</p><p>{b}</p></div>"),
    "by tool": by_tool(decisions, "<h3>{name}</h3><dl>{rows}</dl>", "<dt>{label}</dt><dd>{value}</dd>"),
    "transposed": decision_transposed,
    "labels above": make_table_writer(
        decisions, "<table>{rows}</table>", "<tr><th colspan=2>{label}</th></tr><tr><td>{a}</td><td>{b}</td></tr>"
    ),
}

NAMED = "<table><tr><th>Reviewer</th><th>{name_a}</th><th>{name_b}</th></tr>{rows}</table>"
NAMED_CELLS = "<div><h3>{label}</h3><div><h4>{name_a}</h4>{a}</div><div><h4>{name_b}</h4>{b}</div></div>"
ITEM = "<li><h3>{label}</h3><div>{a}</div><div>{b}</div></li>"
SCORECARDS: dict[str, Callable[[Facts, Pair], str]] = {
    "table": make_table_writer(takes, "<table>{rows}</table>", ROW),
    "named columns": make_table_writer(takes, NAMED, ROW),
    "list": make_table_writer(takes, "<ul>{rows}</ul>", ITEM),
    "definitions": make_table_writer(takes, "<dl>{rows}</dl>", "<dt>{label}</dt><dd>{a}</dd><dd>{b}</dd>"),
    "named cells": make_table_writer(takes, "{rows}", NAMED_CELLS),
    "by tool": by_tool(takes, "<section><h3>{name}</h3>{rows}</section>", "<div><h4>{label}</h4>{value}</div>"),
    "turned": turn_table,
    "tabs": tabs,
    "carousel": slides,
    "split scores": lambda facts, pair: SCORECARDS["list"](facts, pair).replace("/100 · ", "/100</p><p>"),
}
