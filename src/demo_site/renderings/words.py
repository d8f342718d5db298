"""The site's interface words, the same in every rendering."""

from verdicts.demo_site.facts import Facts, Pair

HOST = "demo.verdicts.example"
URL = f"http://{HOST}/"

EYEBROW = "AI tool comparison"
INTRO = (
    "Which one should you ship with? Here is the side-by-side panel verdict, pricing read, reviewer split, "
    "and community vote comparison."
)
NO_TAKE = "No panel take"
NEWSLETTER = (
    "Weekly AI Tool Verdicts",
    "Get the next comparison in your inbox",
    "New AI tools ship daily. We compare them before you waste an afternoon.",
)
BOOKMARKS = ("Bookmarks", "Loading bookmarks...", "No bookmarks yet", "Bookmark tools to save them for later")


def page_title(facts: Facts, pair: Pair) -> str:
    return f"{facts.title(pair)}: Which AI Tool Should You Ship? — Ship or Skip"


def decision_rows(facts: Facts, pair: Pair) -> tuple[tuple[str, str, str], ...]:
    """The rows of the Decision table below the names: label, value of A, value of B."""
    a, b = facts.cards(pair)
    return (
        ("Panel verdict", a.panel_verdict, b.panel_verdict),
        ("Community", a.community_vote, b.community_vote),
        ("Pricing", a.pricing, b.pricing),
        ("Best for", a.tagline, b.tagline),
        ("Category", a.category, b.category),
    )


def monogram(name: str) -> str:
    return name[0].upper()
