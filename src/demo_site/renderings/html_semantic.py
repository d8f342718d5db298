"""A comparison as a careful author would write it: headings, lists and real tables."""

from verdicts.demo_site.facts import Facts, Pair, Row, SeatTake, Tool
from verdicts.demo_site.renderings.markup import comparison, lines, link, reviewer_path, text
from verdicts.demo_site.renderings.words import BOOKMARKS, EYEBROW, INTRO, NEWSLETTER, NO_TAKE, decision_rows, monogram


def render(facts: Facts, pair: Pair) -> str:
    """The whole page, with every fact of it."""
    a, b = facts.cards(pair)
    title = facts.title(pair)
    body = f"""<header><nav>{link("/", "Ship or Skip")} <a href="/bookmarks">Bookmarks</a></nav></header>
<main>
<nav aria-label="Breadcrumb"><p><a href="/compare">Compare</a>/<span>{text(title)}</span></p></nav>
<header><p>{EYEBROW}</p><h1>{text(title)}</h1><p>{INTRO}</p></header>
{_card(a)}
{_card(b)}
{_decision(facts, pair)}
{_scorecard(facts, pair)}
</main>
<aside><h2>Keep comparing</h2><ul>{_related(facts, pair)}</ul></aside>
<footer>
<section><p>{NEWSLETTER[0]}</p><h2>{NEWSLETTER[1]}</h2><p>{NEWSLETTER[2]}</p>
<form action="/newsletter" method="post"><input type="email" name="email"><button>Subscribe</button></form></section>
<section><h2>{BOOKMARKS[0]}</h2>{"".join(f"<p>{words}</p>" for words in BOOKMARKS[1:])}</section>
</footer>"""
    return comparison(facts, pair, body)


def _card(tool: Tool) -> str:
    return f"""<article>
<p>{text(monogram(tool.name))}</p>
<p>{text(tool.category)}</p>
<h2>{link(f"/tool/{tool.slug}", tool.name)}</h2>
<p>{text(tool.tagline)}</p>
<p><strong>{tool.chip}</strong></p>
<ul>
<li><p>{tool.panel_pct}%</p><p>Panel ship</p></li>
<li><p>{tool.community_share or "—"}</p><p>Community</p></li>
<li><p>{tool.entry}</p><p>Entry</p></li>
</ul>
<p>{text(tool.description)}</p>
</article>"""


def _decision(facts: Facts, pair: Pair) -> str:
    a, b = facts.cards(pair)
    rows = lines(
        f'<tr><th scope="row">{label}</th><td>{text(of_a)}</td><td>{text(of_b)}</td></tr>'
        for label, of_a, of_b in decision_rows(facts, pair)
    )
    return f"""<section><h2>Decision</h2>
<table>
<thead><tr><td></td><th scope="col">{text(a.name)}</th><th scope="col">{text(b.name)}</th></tr></thead>
<tbody>
{rows}
</tbody>
</table></section>"""


def _scorecard(facts: Facts, pair: Pair) -> str:
    a, b = facts.cards(pair)
    rows = lines(_row(row, a, b) for row in facts.scorecard(pair))
    table = f"<table>\n<tbody>\n{rows}\n</tbody>\n</table>"
    return f'<section id="scorecard"><h2>Reviewer scorecard</h2>\n{table}</section>'


def _row(row: Row, a: Tool, b: Tool) -> str:
    category = a.category if row.a else b.category
    seat = link(reviewer_path(row.seat, category), row.seat)
    return f'<tr><th scope="row">{seat}</th>{_cell(row.a)}{_cell(row.b)}</tr>'


def _cell(take: SeatTake | None) -> str:
    if take is None:
        return f"<td>{NO_TAKE}</td>"
    return f"<td><p>{take.score}/100 · {take.verdict}</p><p>{text(take.text)}</p></td>"


def _related(facts: Facts, pair: Pair) -> str:
    return "".join(f"<li>{link(other.path, facts.title(other))}</li>" for other in facts.related(pair))
