"""Redesigns of a comparison page: the same facts and words in another DOM. Each choice is a named function."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from verdicts.demo_site.facts import Facts, Pair, Row, Tool
from verdicts.demo_site.pages import (
    BOOKMARKS,
    EYEBROW,
    INTRO,
    NEWSLETTER,
    NO_TAKE,
    decision_rows,
    document,
    link,
    page_title,
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
    return document(page_title(facts, pair), pair.path, body)


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


def tool_columns(facts: Facts, pair: Pair, stat: Stats) -> str:
    """A table with a column a tool; the labels stand in the first column."""
    tools = facts.cards(pair)

    def row(label: str, cells: tuple[str, ...]) -> str:
        return f"<tr><th>{label}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"

    rows = [
        f"<tr><td></td>{''.join(f'<th>{name(tool)}</th>' for tool in tools)}</tr>",
        row("Category", tuple(text(tool.category) for tool in tools)),
        row("Tagline", tuple(text(tool.tagline) for tool in tools)),
        row("Chip", tuple(tool.chip for tool in tools)),
        *(
            row(label, tuple(text(dict(stats(tool))[label]) for tool in tools))
            for label in ("Panel ship", "Community", "Entry")
        ),
        row("Description", tuple(text(tool.description) for tool in tools)),
    ]
    return f"<table>{''.join(rows)}</table>"


def tool_rows(facts: Facts, pair: Pair, stat: Stats) -> str:
    """A table with a row a tool; the labels stand in the head."""
    head = "".join(
        f"<th>{label}</th>"
        for label in ("Category", "Tool", "Tagline", "Chip", "Panel ship", "Community", "Entry", "Description")
    )
    rows = "".join(
        "<tr>"
        + "".join(
            f"<td>{cell}</td>"
            for cell in (
                text(tool.category),
                name(tool),
                text(tool.tagline),
                tool.chip,
                *(text(value) for _, value in stats(tool)),
                text(tool.description),
            )
        )
        + "</tr>"
        for tool in facts.cards(pair)
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


CARDS = {"articles": articles, "carousel": carousel, "tool columns": tool_columns, "tool rows": tool_rows}


def decision_table(facts: Facts, pair: Pair) -> str:
    a, b = facts.cards(pair)
    rows = "".join(
        f"<tr><th>{label}</th><td>{text(of_a)}</td><td>{text(of_b)}</td></tr>"
        for label, of_a, of_b in decision_rows(facts, pair)
    )
    return f"<table><tr><td></td><th>{text(a.name)}</th><th>{text(b.name)}</th></tr>{rows}</table>"


def decision_label_last(facts: Facts, pair: Pair) -> str:
    rows = "".join(
        f"<div><p>{text(of_a)}</p><p>{text(of_b)}</p><p>{label}</p></div>"
        for label, of_a, of_b in decision_rows(facts, pair)
    )
    return f"<div>{rows}</div>"


def decision_label_between(facts: Facts, pair: Pair) -> str:
    rows = "".join(
        f"<div><p>{text(of_a)}</p><p>{label}</p><p>{text(of_b)}</p></div>"
        for label, of_a, of_b in decision_rows(facts, pair)
    )
    return f"<div>{rows}</div>"


def decision_by_tool(facts: Facts, pair: Pair) -> str:
    """A definition list a tool."""
    return "".join(
        f"<h3>{text(tool.name)}</h3><dl>"
        + "".join(f"<dt>{row[0]}</dt><dd>{text(row[1 + column])}</dd>" for row in decision_rows(facts, pair))
        + "</dl>"
        for column, tool in enumerate(facts.cards(pair))
    )


def decision_transposed(facts: Facts, pair: Pair) -> str:
    """A row a tool, the labels in the head."""
    rows = decision_rows(facts, pair)
    head = "".join(f"<th>{label}</th>" for label, _, _ in rows)
    tools = "".join(
        f"<tr><th>{text(tool.name)}</th>{''.join(f'<td>{text(row[1 + column])}</td>' for row in rows)}</tr>"
        for column, tool in enumerate(facts.cards(pair))
    )
    return f"<table><tr><td></td>{head}</tr>{tools}</table>"


def decision_labels_above(facts: Facts, pair: Pair) -> str:
    """Each label in a row of its own, over the two values."""
    rows = "".join(
        f"<tr><th colspan=2>{label}</th></tr><tr><td>{text(of_a)}</td><td>{text(of_b)}</td></tr>"
        for label, of_a, of_b in decision_rows(facts, pair)
    )
    return f"<table>{rows}</table>"


DECISIONS = {
    "table": decision_table,
    "label last": decision_label_last,
    "label between": decision_label_between,
    "by tool": decision_by_tool,
    "transposed": decision_transposed,
    "labels above": decision_labels_above,
}


def cells(row: Row) -> tuple[str, str]:
    return tuple(
        NO_TAKE if take is None else f"<p>{take.score}/100 · {take.verdict}</p><p>{text(take.text)}</p>"
        for take in (row.a, row.b)
    )


def scorecard_table(facts: Facts, pair: Pair) -> str:
    rows = "".join(
        f"<tr><th>{row.seat}</th>{''.join(f'<td>{cell}</td>' for cell in cells(row))}</tr>"
        for row in facts.scorecard(pair)
    )
    return f"<table>{rows}</table>"


def scorecard_named_columns(facts: Facts, pair: Pair) -> str:
    a, b = facts.cards(pair)
    head = f"<tr><th>Reviewer</th><th>{text(a.name)}</th><th>{text(b.name)}</th></tr>"
    return f"<table>{head}{scorecard_table(facts, pair).removeprefix('<table>')}"


def scorecard_list(facts: Facts, pair: Pair) -> str:
    rows = "".join(
        f"<li><h3>{row.seat}</h3>{''.join(f'<div>{cell}</div>' for cell in cells(row))}</li>"
        for row in facts.scorecard(pair)
    )
    return f"<ul>{rows}</ul>"


def scorecard_definitions(facts: Facts, pair: Pair) -> str:
    return (
        "<dl>"
        + "".join(
            f"<dt>{row.seat}</dt>{''.join(f'<dd>{cell}</dd>' for cell in cells(row))}" for row in facts.scorecard(pair)
        )
        + "</dl>"
    )


def scorecard_named_cells(facts: Facts, pair: Pair) -> str:
    """Each cell begins with its tool's name."""
    tools = facts.cards(pair)
    return "".join(
        f"<div><h3>{row.seat}</h3>"
        + "".join(f"<div><h4>{text(tool.name)}</h4>{cell}</div>" for tool, cell in zip(tools, cells(row), strict=True))
        + "</div>"
        for row in facts.scorecard(pair)
    )


def scorecard_by_tool(facts: Facts, pair: Pair) -> str:
    """All of A's row, then all of B's."""
    return "".join(
        f"<section><h3>{text(tool.name)}</h3>"
        + "".join(f"<div><h4>{row.seat}</h4>{cells(row)[column]}</div>" for row in facts.scorecard(pair))
        + "</section>"
        for column, tool in enumerate(facts.cards(pair))
    )


def scorecard_split_scores(facts: Facts, pair: Pair) -> str:
    """Score and verdict are texts of their own."""
    return scorecard_list(facts, pair).replace("/100 · ", "/100</p><p>")


SCORECARDS = {
    "table": scorecard_table,
    "named columns": scorecard_named_columns,
    "list": scorecard_list,
    "definitions": scorecard_definitions,
    "named cells": scorecard_named_cells,
    "by tool": scorecard_by_tool,
    "split scores": scorecard_split_scores,
}


def as_data(facts: Facts, pair: Pair) -> str:
    """All of the page in a script that the browser would render."""
    tools = [
        {
            "category": tool.category,
            "name": tool.name,
            "href": f"/tool/{tool.slug}",
            "tagline": tool.tagline,
            "chip": tool.chip,
            "panelShip": f"{tool.panel_pct}%",
            "community": tool.community_share,
            "entry": tool.entry,
            "description": tool.description,
        }
        for tool in facts.cards(pair)
    ]
    decision = {label: [of_a, of_b] for label, of_a, of_b in decision_rows(facts, pair)}
    takes = [
        {
            "seat": row.seat,
            "takes": [
                NO_TAKE if take is None else {"score": f"{take.score}/100 · {take.verdict}", "text": take.text}
                for take in (row.a, row.b)
            ],
        }
        for row in facts.scorecard(pair)
    ]
    props = {
        "eyebrow": EYEBROW,
        "title": facts.title(pair),
        "tools": tools,
        "decision": decision,
        "reviewerScorecard": takes,
        "newsletter": list(NEWSLETTER),
    }
    words = json.dumps({"props": props}, ensure_ascii=False).replace("<", "\\u003c")
    data = f'<script id="__NEXT_DATA__" type="application/json">{words}</script>'
    return document(page_title(facts, pair), pair.path, f'<div id="__next"></div>{data}')
