"""An HTML page of two made tools, part by part, for the tests of what a page may look like."""

from verdicts.extract.html.html_page import Page
from verdicts.extract.model.records import Comparison
from verdicts.extract.panel.comparison import read_page
from verdicts.extract.panel.profile import SHIPPED, page_words

WORDS = page_words(SHIPPED["shiporskip"])

ALPHA = {
    "name": "Alpha",
    "slug": "alpha",
    "category": "Developer Tools",
    "tagline": "Ships your branch",
    "chip": "Ship",
    "panel_ship": "75%",
    "community": "62%",
    "entry": "Free",
    "description": "Alpha builds a branch, runs its tests and writes down what broke and since when.",
    "verdict": "Ship · 3 ship / 1 skip",
    "votes": "62% · 130 votes",
    "pricing": "Free tier / $20/mo Pro",
}
BRAVO = {
    "name": "Bravo",
    "slug": "bravo",
    "category": "Productivity",
    "tagline": "Reads your mail",
    "chip": "Mixed",
    "panel_ship": "50%",
    "community": None,
    "entry": "Paid",
    "description": "Bravo sorts what came in and drafts answers, which wait until you have read them.",
    "verdict": "Mixed · 1 ship / 1 skip",
    "votes": "No community votes yet",
    "pricing": "$9/mo",
}
TOOLS = (ALPHA, BRAVO)
TAKES = (
    ("Builder", ("88/100 · ship", "Alpha took one command."), ("80/100 · ship", "Bravo found the invoice.")),
    ("Skeptic", ("58/100 · skip", "Alpha guessed the branch."), ("52/100 · skip", "Bravo hid an answer.")),
    ("PM", ("75/100 · ship", "Alpha wrote the notes."), None),
    ("Founder", ("70/100 · ship", "Alpha paid for itself."), None),
)
LABELS = {"Panel verdict": "verdict", "Community": "votes", "Pricing": "pricing", "Best for": "tagline",
          "Category": "category"}  # fmt: skip
HEAD = "<header><p>AI tool comparison</p><h1>Alpha vs Bravo</h1><p>Which one should you ship with?</p></header>"
FOOT = "<footer><p>Weekly AI Tool Verdicts</p><p>Bookmarks</p></footer>"


def stat(label, value):
    return f"<div><b>{value}</b><small>{label}</small></div>"


def stats(tool, one=stat):
    shown = {"Panel ship": tool["panel_ship"], "Community": tool["community"] or "—", "Entry": tool["entry"]}
    return "".join(one(label, value) for label, value in shown.items())


def name(tool):
    return f'<h3><a href="/tool/{tool["slug"]}">{tool["name"]}</a></h3>'


def card(tool, *, top="", middle="", end="", numbers=None, heading=None, description=None):
    """`top` stands before the category, `middle` before the numbers, `end` behind the description."""
    return (
        f"<article>{top}<p>{tool['category']}</p>{heading or name(tool)}<p>{tool['tagline']}</p><p>{tool['chip']}</p>"
        f"{middle}<div>{stats(tool) if numbers is None else numbers}</div>"
        f"{description or '<p>' + tool['description'] + '</p>'}{end}</article>"
    )


def cards(*tools, **parts):
    return "".join(card(tool, **parts) for tool in tools or TOOLS)


def row(cells, tag="td"):
    return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"


def rows(a=ALPHA, b=BRAVO):
    return [(label, a[field], b[field]) for label, field in LABELS.items()]


def table(*lines):
    return f"<table>{''.join(map(row, lines))}</table>"


def decision(inner=None, a=ALPHA, b=BRAVO):
    return f"<section><h2>Decision</h2>{inner or table(('', a['name'], b['name']), *rows(a, b))}</section>"


def scorecard(takes=TAKES):
    lines = [
        (reviewer, *("No panel take" if take is None else f"<p>{take[0]}</p><p>{take[1]}</p>" for take in pair))
        for reviewer, *pair in takes
    ]
    return f"<section><h2>Reviewer scorecard</h2>{table(*lines)}</section>"


def page(*, head=HEAD, cards=cards(), decision=decision(), scorecard=scorecard(), foot=FOOT):  # noqa: B008  texts
    return f"<html><body><main>{head}{cards}{decision}{scorecard}</main>{foot}</body></html>"


def read(html) -> Comparison:
    """Raises `PageRejected`."""
    return read_page(Page(html, "https://a.example/"), WORDS)[0]


CARD_FIELDS = ("name", "slug", "category", "tagline", "chip", "panel_ship", "community", "entry", "description")


def facts(comparison):
    """All that a reading says of cards, table and takes, side by side, in the words of `ALPHA` and `BRAVO`."""
    return (
        [{field: getattr(card, field) for field in CARD_FIELDS} for card in comparison.cards],
        [
            {field: getattr(column, field) for field in ("verdict", "community", "pricing", "best_for", "category")}
            for column in comparison.decisions
        ],
        [(take.side, take.reviewer, f"{take.score} · {take.verdict}", take.text) for take in comparison.takes],
    )


def make_expected(a=ALPHA, b=BRAVO, takes=TAKES, columns=("verdict", "votes", "pricing", "tagline", "category")):
    names = {"votes": "community", "tagline": "best_for"}
    return (
        [{field: tool[field] for field in CARD_FIELDS} for tool in (a, b)],
        [
            {"verdict": None, "community": None, "pricing": None, "best_for": None, "category": None}
            | {names.get(field, field): tool[field] for field in columns}
            for tool in (a, b)
        ],
        [
            (side, reviewer, *take)
            for reviewer, *pair in takes
            for side, take in zip("ab", pair, strict=True)
            if take is not None
        ],
    )
