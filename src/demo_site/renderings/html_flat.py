"""A comparison as a React build emits it: divs, spans, split texts, icons, hydration scripts that repeat the data."""

from verdicts.demo_site.facts import Facts, Pair, Row, SeatTake, Tool
from verdicts.demo_site.renderings.markup import attribute, comparison, lines, script_json, text
from verdicts.demo_site.renderings.words import BOOKMARKS, EYEBROW, INTRO, NEWSLETTER, NO_TAKE, decision_rows, monogram

ICON = (
    '<svg class="size-4 shrink-0" viewBox="0 0 16 16" aria-hidden="true">'
    '<title>icon</title><path d="M2 8l4 4 8-8"></path></svg>'
)
MUTED = "text-xs text-zinc-500"
PANEL = "rounded-2xl border border-white/10 p-6"


def render(facts: Facts, pair: Pair) -> str:
    """The whole page, with every fact of it."""
    a, b = facts.cards(pair)
    heading = f"{text(a.name)}<!-- --> vs <!-- -->{text(b.name)}"
    bookmarks = "".join(_div(MUTED, words) for words in BOOKMARKS)
    newsletter = "".join(_div(MUTED, words) for words in NEWSLETTER)
    body = f"""<div id="__next" class="min-h-screen bg-zinc-950 antialiased"><div class="mx-auto max-w-6xl px-4">
<div class="flex gap-2 text-sm"><a class="hover:underline" href="/compare">Compare</a>/<span>{heading}</span></div>
<div class="pt-12">{_div(MUTED, EYEBROW)}<div class="text-4xl font-black">{heading}</div>
{_div("max-w-prose", INTRO)}</div>
<div class="grid gap-6 md:grid-cols-2">
{_card(a)}
{_card(b)}
</div>
{_decision(facts, pair)}
{_scorecard(facts, pair)}
{_related(facts, pair)}
<div class="{PANEL}">{newsletter}<div role="button" class="sr-only">Submit your address</div></div>
<div class="{PANEL}">{bookmarks}</div>
</div></div>
{_hydration(facts, pair)}"""
    return comparison(facts, pair, body, '<meta name="viewport" content="width=device-width, initial-scale=1">\n')


def _div(classes: str, words: str) -> str:
    return f'<div class="{classes}">{text(words)}</div>'


def _card(tool: Tool) -> str:
    href = attribute(f"/tool/{tool.slug}")
    return f"""<div class="{PANEL} flex flex-col"><div class="flex items-center gap-3">\
<div class="grid size-10 place-items-center">{text(monogram(tool.name))}</div>
<div><div class="{MUTED}">{text(tool.category)}</div>\
<a class="text-xl font-bold" href="{href}"><span>{text(tool.name)}</span></a>\
{_div("text-zinc-400", tool.tagline)}</div></div>
<div class="inline-flex items-center rounded-full">{ICON}<span>{tool.chip}</span></div>
<div class="grid grid-cols-3"><span class="sr-only">{tool.panel_pct} percent of the panel would ship it</span>
<div><div class="text-2xl">{tool.panel_pct}<!-- -->%</div><div class="{MUTED}">Panel ship</div></div>
<div><div class="text-2xl">{tool.community_share or "—"}</div><div class="{MUTED}">{ICON} Community</div></div>
<div><div class="text-2xl">{tool.entry}</div><div class="{MUTED}">Entry</div></div></div>
<div class="mt-4 leading-7">{text(tool.description)}</div></div>"""


def _decision(facts: Facts, pair: Pair) -> str:
    a, b = facts.cards(pair)
    head = (
        '<div class="grid grid-cols-3 border-b"><div class="p-3">Decision</div>'
        f'<div class="p-3 font-semibold">{text(a.name)}</div><div class="p-3 font-semibold">{text(b.name)}</div></div>'
    )
    rows = lines(
        f'<div class="grid grid-cols-3"><div class="p-3 {MUTED}">{label}</div>'
        f'<div class="p-3">{_split(of_a)}</div><div class="p-3">{_split(of_b)}</div></div>'
        for label, of_a, of_b in decision_rows(facts, pair)
    )
    return f'<div class="{PANEL}">\n{head}\n{rows}\n</div>'


def _split(words: str) -> str:
    """The text split where a template had a placeholder: `Ship<!-- --> · <!-- -->3 ship / 1 skip`."""
    return "<!-- --> · <!-- -->".join(text(part) for part in words.split(" · "))


def _scorecard(facts: Facts, pair: Pair) -> str:
    rows = lines(_row(row) for row in facts.scorecard(pair))
    head = '<div class="text-2xl font-bold">Reviewer scorecard</div>'
    return f'<div id="scorecard" class="space-y-4">{head}\n{rows}\n</div>'


def _row(row: Row) -> str:
    return (
        f'<div class="{PANEL}">'
        f'<div class="flex items-center gap-2">{ICON}<span class="font-medium">{row.seat}</span></div>'
        f'<div class="grid gap-4 md:grid-cols-2">{_cell(row.a)}{_cell(row.b)}</div></div>'
    )


def _cell(take: SeatTake | None) -> str:
    if take is None:
        return f'<div class="{MUTED} italic">{NO_TAKE}</div>'
    return (
        f'<div class="rounded-xl p-4"><span class="sr-only">Score and verdict</span>'
        f'<div class="font-mono">{take.score}<!-- -->/100 · <!-- -->{take.verdict}</div>'
        f'<div class="leading-7">{text(take.text)}</div></div>'
    )


def _related(facts: Facts, pair: Pair) -> str:
    links = lines(
        f'<div class="p-2"><a class="underline" href="{attribute(other.path)}#scorecard">'
        f"<span>{text(facts.title(other))}</span></a></div>"
        for other in facts.related(pair)
    )
    return f'<div class="grid gap-2"><div class="{MUTED}">More match-ups</div>\n{links}\n</div>'


def _hydration(facts: Facts, pair: Pair) -> str:
    props = {
        "title": facts.title(pair),
        "rows": [[row.seat, row.a and row.a.text, row.b and row.b.text] for row in facts.scorecard(pair)],
        "tools": [
            {
                "slug": tool.slug,
                "name": tool.name,
                "tagline": tool.tagline,
                "panelShip": tool.panel_pct,
                "pricing": tool.pricing,
            }
            for tool in facts.cards(pair)
        ],
    }
    chunks = (
        f"<script>self.__next_f.push([1,{script_json(chunk)}])</script>"
        for chunk in ("3:I[5244]", f"5:{script_json(props)}")
    )
    return lines(["<script>(self.__next_f=self.__next_f||[]).push([0])</script>", *chunks])
