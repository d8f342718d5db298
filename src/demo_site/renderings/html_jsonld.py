"""A comparison of definition lists and sections, with the same facts as schema.org JSON-LD in the head."""

from verdicts.demo_site.facts import Facts, Pair, Row, SeatTake, Tool
from verdicts.demo_site.renderings.markup import comparison, lines, link, reviewer_path, script_json, text
from verdicts.demo_site.renderings.words import (
    BOOKMARKS,
    EYEBROW,
    INTRO,
    NEWSLETTER,
    NO_TAKE,
    URL,
    decision_rows,
    monogram,
)


def render(facts: Facts, pair: Pair) -> str:
    """The whole page, with every fact of it."""
    a, b = facts.cards(pair)
    title = facts.title(pair)
    related = "".join(
        f"<li>{link(URL.rstrip('/') + other.path, facts.title(other))}</li>" for other in facts.related(pair)
    )
    body = f"""<ol><li><a href="/compare">Compare</a>/{text(title)}</li></ol>
<section>
<h4>{EYEBROW}</h4>
<h1>{text(title)}</h1>
<p>{INTRO}</p>
<section>{_card(a)}</section>
<section>{_card(b)}</section>
</section>
<section>
<h3>Decision</h3>
{_decision(facts, pair)}
</section>
<section id="scorecard">
<h3>Reviewer scorecard</h3>
{lines(_row(row, a, b) for row in facts.scorecard(pair))}
</section>
<nav><h3>Others looked at</h3><ul>{related}</ul></nav>
<section><h4>{NEWSLETTER[0]}</h4><h3>{NEWSLETTER[1]}</h3><p>{NEWSLETTER[2]}</p></section>
<section><h3>{BOOKMARKS[0]}</h3>{"".join(f"<p>{words}</p>" for words in BOOKMARKS[1:])}</section>"""
    linked_data = f'<script type="application/ld+json">{script_json(_linked_data(facts, pair))}</script>\n'
    return comparison(facts, pair, body, linked_data)


def _card(tool: Tool) -> str:
    values = ((f"{tool.panel_pct}%", "Panel ship"), (tool.community_share or "—", "Community"), (tool.entry, "Entry"))
    figures = "".join(f"<figure><p>{value}</p><figcaption>{label}</figcaption></figure>" for value, label in values)
    return f"""
<figure>{text(monogram(tool.name))}</figure>
<h4>{text(tool.category)}</h4>
<a href="/tool/{tool.slug}"><h3>{text(tool.name)}</h3></a>
<p><em>{text(tool.tagline)}</em></p>
<p><mark>{tool.chip}</mark></p>
{figures}
<blockquote><p>{text(tool.description)}</p></blockquote>
"""


def _decision(facts: Facts, pair: Pair) -> str:
    a, b = facts.cards(pair)
    groups = lines(
        f"<dl><dt>{label}</dt><dd>{text(of_a)}</dd><dd>{text(of_b)}</dd></dl>"
        for label, of_a, of_b in decision_rows(facts, pair)
    )
    return f"<dl><dd><b>{text(a.name)}</b></dd><dd><b>{text(b.name)}</b></dd></dl>\n{groups}"


def _row(row: Row, a: Tool, b: Tool) -> str:
    category = b.category if row.a is None else a.category
    seat = link(reviewer_path(row.seat, category), row.seat)
    return f"<section>\n<h4>{seat}</h4>\n<dl>{_cell(row.a)}{_cell(row.b)}</dl>\n</section>"


def _cell(take: SeatTake | None) -> str:
    if take is None:
        return f"<dd>{NO_TAKE}</dd>"
    score = f'<data value="{take.score}">{take.score}/100</data>'
    return f"<dt>{score} · <b>{take.verdict}</b></dt><dd>{text(take.text)}</dd>"


def _linked_data(facts: Facts, pair: Pair) -> dict[str, object]:
    return {
        "@context": "https://schema.org",
        "@type": "ItemList",
        "name": facts.title(pair),
        "url": URL.rstrip("/") + pair.path,
        "itemListElement": [
            {"@type": "ListItem", "position": position, "item": _application(tool)}
            for position, tool in enumerate(facts.cards(pair), 1)
        ],
    }


def _application(tool: Tool) -> dict[str, object]:
    return {
        "@type": "SoftwareApplication",
        "name": tool.name,
        "url": f"{URL}tool/{tool.slug}",
        "applicationCategory": tool.category,
        "description": tool.description,
        "abstract": tool.tagline,
        "review": [_review(take) for take in tool.takes],
    }


def _review(take: SeatTake) -> dict[str, object]:
    return {
        "@type": "Review",
        "author": {"@type": "Person", "name": take.seat},
        "reviewBody": take.text,
        "reviewRating": {
            "@type": "Rating",
            "ratingValue": take.score,
            "bestRating": 100,
            "worstRating": 0,
            "ratingExplanation": take.verdict,
        },
    }
