"""The words that comparison pages print around their facts, folded. The grammar is anchored on these alone."""

import re
from typing import Literal, TypeAlias

INTRO = "ai tool comparison"
VERSUS = " vs "
PANEL_SHIP = "panel ship"
COMMUNITY = "community"
ENTRY = "entry"
CHIPS = frozenset({"ship", "mixed", "skip"})

CardField: TypeAlias = Literal["category", "tagline", "chip", "panel_ship", "community", "entry", "description"]
CARD_LABELS: dict[str, CardField] = {
    PANEL_SHIP: "panel_ship",
    COMMUNITY: "community",
    ENTRY: "entry",
    "category": "category",
    "tagline": "tagline",
    "chip": "chip",
    "panel verdict": "chip",
    "verdict": "chip",
    "description": "description",
    "about": "description",
}
"""Labels of a card's parts. Those after `entry` stand only where a card is a table or data: elsewhere order tells."""

NAME_LABELS = frozenset({"tool", "name", "product", "model"})
"""Heads of the column that holds the names."""

STATS = (PANEL_SHIP, COMMUNITY, ENTRY)
STAT = re.compile(rf"[^\w“\"]*({'|'.join(STATS)})(\s*:\s*|\s+|)(.{{1,40}})", re.IGNORECASE)
STAT_LAST = re.compile(rf"[^\w“\"]*(.{{1,12}}?)\s*({PANEL_SHIP})", re.IGNORECASE)
"""`Panel ship: 75%` and `75% Panel ship`: a label and its value in one text."""

DECISION = "decision"
SCORECARD = "reviewer scorecard"
NO_TAKE = "no panel take"

DecisionField: TypeAlias = Literal["verdict", "community", "pricing", "best_for", "category"]
DECISION_FIELDS: dict[str, DecisionField] = {
    "panel verdict": "verdict",
    "community": "community",
    "pricing": "pricing",
    "best for": "best_for",
    "category": "category",
}

VERDICT_VALUE = re.compile(r"(ship|skip|mixed)\b.*", re.IGNORECASE)
"""What a verdict in the Decision table looks like: `Ship · 3 ship / 1 skip`. Tells values from their neighbours."""

AFTER_SCORECARD = frozenset(
    {
        "weekly ai tool verdicts",
        "get the next comparison in your inbox",
        "new ai tools ship daily. we compare them before you waste an afternoon.",
        "bookmarks",
        "loading bookmarks",
        "loading bookmarks...",
    }
)
"""The newsletter and bookmark blocks. In a text dump one of these must follow the takes, or the dump was cut off."""

BADGES = frozenset(
    {
        "new",
        "popular",
        "trending",
        "featured",
        "sponsored",
        "updated",
        "verified",
        "beta",
        "hot",
        "editor’s pick",
        "editor's pick",
        "top pick",
        "staff pick",
        "previous",
        "next",
    }
)
"""What sites hang on a card beside its facts."""

SEATS = frozenset({"builder", "skeptic", "futurist", "creator", "pm", "founder"})
"""The reviewers seen so far. Others are read as well: a seat is what precedes two cells."""

PERCENT = re.compile(r"\d{1,3}(?:\.\d+)?\s?%")
NO_VALUE = frozenset({"—", "–", "-", "n/a", ""})

SCORE = re.compile(
    r"(?P<score>\d{1,3}(?:\.\d+)?\s*/\s*100)?(?P<dot>\s*[·•|]\s*)?(?P<verdict>ship|skip|mixed)?", re.IGNORECASE
)
"""`88/100 · ship`, `88/100` or `ship`: what opens a take in a labelled scorecard."""

QUOTED = (("“", "”"), ('"', '"'))
"""What opens and closes a take that has lost its reviewer."""

TOOL_LINK = re.compile(r"/tool/(?P<slug>[a-z0-9-]+)/?(?:[?#].*)?$")
COMPARISON_PATH = "/compare/"
"""Every page below this path is a comparison, or is broken."""
