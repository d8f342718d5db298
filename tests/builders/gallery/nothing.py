"""Pages that look like comparisons and set nothing side by side."""

from builders.gallery.answers import nothing_compared
from builders.gallery.facts import Shelf, Turn, shelf
from builders.gallery.markup import Page, items, paragraphs, row, tag, text
from builders.gallery.stated import script

_SOUPS = ("Leek soup", "Beet soup", "Barley soup", "Pea soup", "Cold cucumber soup")


_OTHER_TABLES = (
    (
        "Options of the command",
        ("Option", "Type", "Default"),
        (("--level", "number", "6"), ("--quiet", "flag", "off"), ("--jobs", "number", "2"), ("--keep", "flag", "on")),
    ),
    (
        "Boats to the island",
        ("Pier", "Departs", "Arrives", "Days"),
        (
            ("North", "8:10", "8:50", "daily"),
            ("South", "9:40", "10:05", "Mo to Fr"),
            ("Sound", "16:10", "16:50", "daily"),
        ),
    ),
    (
        "The table after eleven rounds",
        ("", "Club", "Games", "Points"),
        (
            ("1", "Harbour", "11", "24"),
            ("2", "Old Mill", "11", "21"),
            ("3", "Castle Hill", "10", "21"),
            ("4", "Gasworks", "11", "9"),
        ),
    ),
)


def recipes(turn: Turn) -> tuple[Shelf, Page]:
    """Soups as an ItemList of recipes with ratings of their own."""
    at = shelf("recipes", turn, 2)
    cooked = [
        "Everything goes into one pot, the hard things first.",
        "It is better on the second day, and best on a cold one.",
        "Salt it at the end, when you know what it has become.",
    ]
    parts = [
        tag("h2", f"{place}. {soup}" if turn.form else soup)
        + items(["two leeks", "a litre of water"])
        + paragraphs(cooked[:2])
        for place, soup in enumerate(_SOUPS, start=1)
    ]
    listed = [
        {"@type": "ListItem", "position": place, "item": {"@type": "Recipe", "name": soup, "recipeYield": "4"}}
        for place, soup in enumerate(_SOUPS, start=1)
    ]
    head = script({"@context": "https://schema.org", "@type": "ItemList", "itemListElement": listed})
    title = ("Five soups for cold days", "5 soups that cook themselves", "Our soups for the week")[turn.form]
    return at, Page(title, paragraphs(cooked) + "".join(parts), nothing_compared(cooked), head)


def other_tables(turn: Turn) -> tuple[Shelf, Page]:
    """A manual's table of options, a timetable, the standing of a league."""
    at = shelf("other_tables", turn, 2)
    prose = [
        "What stands here was true when it was written down, and is looked at again every spring.",
        "If something is missing, it was not forgotten: nobody has asked for it until today.",
    ]
    title, heads, rows = _OTHER_TABLES[turn.form]
    table = tag("table", row([*map(text, heads)], "th"), *(row([*map(text, one)]) for one in rows))
    return at, Page(title, paragraphs(prose) + table, nothing_compared(prose))


def plans_of_one(turn: Turn) -> tuple[Shelf, Page]:
    """What one tool costs, plan by plan."""
    at = shelf("plans_of_one", turn, 1)
    (tool,) = at.tools
    heads = ["", "Free", "Pro", "Team"] if turn.form else ["Plan", "Basic", "Plus", "Business"]
    rows = [
        ["Price", "$0", f"${tool.amount}", "$99"],
        ["Users", "1", "5", "50"],
        *([feature, "–", "✓", "✓"] for feature in at.words["features"][:4]),
    ]
    table = tag("table", tag("thead", row(heads, "th")), tag("tbody", *(row([*map(text, one)]) for one in rows)))
    title = (f"{tool.name} pricing", f"{tool.name} prices: compare all plans", f"What does {tool.name} cost?")[
        turn.form
    ]
    return at, Page(title, paragraphs(tool.prose) + table, nothing_compared(tool.prose))


def steps(turn: Turn) -> tuple[Shelf, Page]:
    """Numbered sections that are no things: a guide, and advice."""
    at = shelf("steps", turn, 1)
    sections = (
        ("Count what you have", "Most of it is double, and half of the rest is nobody's."),
        ("Set a sum you will not pass", "Write it on paper, where no button can change it."),
        ("Ask who will use it", "Those who are not asked will find a way around it."),
        ("Try it with your worst file", "What carries that one will carry the others."),
        ("Sleep on it", "There is no offer that is gone by the morning."),
    )
    title = (
        f"How to choose the best of all {at.subject} in 5 steps",
        "5 best practices for a quiet archive",
        f"5 ways to get more out of {at.subject}",
    )[turn.form]
    parts = [tag("h2", f"{place}. {head}") + paragraphs([said]) for place, (head, said) in enumerate(sections, start=1)]
    prose = [*at.intro, *(said for _, said in sections)]
    return at, Page(title, paragraphs(at.intro) + "".join(parts), nothing_compared(prose))


NOTHING = (recipes, other_tables, plans_of_one, steps)
