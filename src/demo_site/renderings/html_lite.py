"""A comparison without reviewers: the content of a quotes dump as HTML. A missing take is not shown at all."""

from verdicts.demo_site.facts import Facts, Pair, Tool
from verdicts.demo_site.renderings.markup import comparison, lines, link, text
from verdicts.demo_site.renderings.words import EYEBROW, INTRO, NEWSLETTER


def render(facts: Facts, pair: Pair) -> str:
    """Cards without chip or link, no Decision table, takes as quotations row by row, A before B."""
    a, b = facts.cards(pair)
    title = facts.title(pair)
    takes = [take for row in facts.scorecard(pair) for take in (row.a, row.b) if take is not None]
    related = "".join(f"<p>{link(other.path, facts.title(other))}</p>" for other in facts.related(pair))
    body = f"""<p>{link("/compare", "Compare")}/{text(title)}</p>
<div>
<p>{EYEBROW}</p>
<h1>{text(title)}</h1>
<p>{INTRO}</p>
</div>
{_card(a)}
{_card(b)}
<div>
<h2>Reviewer scorecard</h2>
{lines(f"<blockquote>“{text(take.text)}”</blockquote>" for take in takes)}
</div>
<div>{"".join(f"<p>{words}</p>" for words in NEWSLETTER)}</div>
<footer>{related}</footer>"""
    return comparison(facts, pair, body)


def _card(tool: Tool) -> str:
    return f"""<div>
<p>{text(tool.category)}</p>
<h2>{text(tool.name)}</h2>
<p>{text(tool.tagline)}</p>
<div><span>{tool.panel_pct}%</span><span>Panel ship</span></div>
<div><span>{tool.community_share or "—"}</span><span>Community</span></div>
<div><span>{tool.entry}</span><span>Entry</span></div>
<p>{text(tool.description)}</p>
</div>"""
