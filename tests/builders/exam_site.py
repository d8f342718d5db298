"""The panel's two text dumps and the words for made tools, which `../shared/exam3` imports as `hidden_site`."""

from dataclasses import dataclass
from typing import Any

SEATS = ["Builder", "Skeptic", "Futurist", "PM", "Founder", "Creator"]
ADJ = [
    *("quiet", "brisk", "amber", "hollow", "steady", "narrow", "velvet", "frozen", "silent", "rapid"),
    *("copper", "mellow", "rustic", "gentle", "hidden", "polar", "lunar", "woven", "tidal", "cedar"),
]
NOUN = [
    *("lantern", "harbor", "thicket", "compass", "bridge", "orchard", "kettle", "beacon"),
    *("anvil", "meadow", "ribbon", "canyon", "falcon", "pebble", "willow", "engine"),
]
HEAD = (
    "Which one should you ship with? Here is the side-by-side panel verdict, pricing read, reviewer split, "
    "and community vote comparison."
)
TAIL = [
    "Weekly AI Tool Verdicts",
    "Get the next comparison in your inbox",
    "New AI tools ship daily. We compare them before you waste an afternoon.",
]
BOOKMARKS = ["Bookmarks", "Loading bookmarks...", "No bookmarks yet", "Bookmark tools to save them for later"]


@dataclass(eq=False)
class Tool:
    slug: str
    name: str
    category: str
    entry: str
    pricing: str
    tagline: str
    description: str
    takes: dict[str, Any]

    @property
    def ship(self) -> int:
        return sum(take[1] == "ship" for take in self.takes.values())

    @property
    def skip(self) -> int:
        return len(self.takes) - self.ship

    @property
    def pct(self) -> int:
        return int(100 * self.ship / len(self.takes) + 0.5)

    @property
    def chip(self) -> str:
        return "Ship" if self.pct > 50 else "Mixed" if self.pct == 50 else "Skip"

    @property
    def votes(self) -> str:
        return f"{self.chip} · {self.ship} ship / {self.skip} skip"


@dataclass
class Page:
    a: Tool
    b: Tool
    kind: str

    @property
    def title(self) -> str:
        return f"{self.a.name} vs {self.b.name}"

    def rows(self) -> list[tuple[str, list[Any]]]:
        seats = sorted({**self.a.takes, **self.b.takes}, key=lambda seat: SEATS.index(seat) if seat in SEATS else 9)
        return [(seat, [tool.takes.get(seat) for tool in (self.a, self.b)]) for seat in seats]


def quotes(page: Page) -> str:
    lines = ["AI tool comparison", page.title, HEAD]
    for tool in (page.a, page.b):
        lines += [tool.category, tool.name, tool.tagline, f"{tool.pct}%", "Panel ship", "—", "Community"]
        lines += [tool.entry, "Entry", tool.description]
    lines += ["Reviewer scorecard", *(f"“{take[2]}”" for _, takes in page.rows() for take in takes if take)]
    return "\n".join([*lines, *TAIL])


def innertext(page: Page) -> str:
    tools = (page.a, page.b)
    parts = [f"Compare/{page.title}", "AI tool comparison", page.title, HEAD]
    for tool in tools:
        parts += [tool.name[0].upper(), tool.category, tool.name, tool.tagline, tool.chip, f"{tool.pct}%", "Panel ship"]
        parts += ["Community", tool.entry, "Entry", tool.description]
    decision = [("Decision", *(tool.name for tool in tools)), ("Panel verdict", *(tool.votes for tool in tools))]
    decision += [("Community", *["No community votes yet"] * 2), ("Pricing", *(tool.pricing for tool in tools))]
    decision += [("Best for", *(tool.tagline for tool in tools)), ("Category", *(tool.category for tool in tools))]
    scorecard = ""
    for seat, takes in page.rows():
        cells = [f"{take[0]}/100 · {take[1]}\n\n{take[2]}\n\n" if take else "No panel take\n" for take in takes]
        scorecard += f"{seat}\n{''.join(cells)}"
    parts += ["\n".join("\n".join(row) for row in decision), f"Reviewer scorecard\n{scorecard.strip()}", *TAIL]
    return "\n\n".join([*parts, *BOOKMARKS, f"{page.title}: Which AI Tool Should You Ship? — Ship or Skip"])
