"""Lists of tools, a section each."""

from collections.abc import Sequence

from comparison_bench.gallery.facts import (
    Answer,
    AnsweredTool,
    Cell,
    Layouts,
    Page,
    Shelf,
    Tool,
    items,
    layout,
    make_cells,
    paragraphs,
    part,
    tag,
    text,
)

LISTS: Layouts = {}


def make_heading(at: Shelf, level: str, words: str, tool: Tool) -> str:
    return tag(level, part("headings", at.style.heading, said=text(words), address=tool.address))


def fact_list(at: Shelf, pairs: list[tuple[str, str]]) -> str:
    return part("facts", at.style.facts, pairs=[(text(label), text(value)) for label, value in pairs])


def for_and_against(at: Shelf, tool: Tool, level: str) -> str:
    both = [(text(at.words[side][0]), items(getattr(tool, side))) for side in ("pros", "cons")]
    return part("for_and_against", at.style.lists, both=both, level=level)


RANKED = (
    "{rank}. {name}",
    "#{rank} {name}",
    "{rank}) {name}",
    "{rank} – {name}",
    "No. {rank}: {name}",
    "{rank}: {name}",
)


def make_answer(tool: Tool, rank: int | None = None) -> AnsweredTool:
    """A tool whose facts all stand under their labels."""
    return AnsweredTool(
        tool.name, rank, tool.find_values("price"), tool.find_values("rating"), tool.find_values("best_for")
    )


def section_cells(tool: Tool, at: Shelf) -> list[Cell]:
    """The cells of facts, and of pros and cons."""
    said = [(at.words[field][0], entry) for field in ("pros", "cons") for entry in getattr(tool, field)]
    return make_cells(tool.name, [*tool.pairs, *said])


def section(tool: Tool, at: Shelf, heading: str, level: str = "h2") -> str:
    """One tool: prose, its facts, its pros and cons, a link to it."""
    below = f"h{int(level[1]) + 1}"
    visit = tag("p", tag("a", text(at.words["visit"].format(name=tool.name)), href=tool.address))
    parts = (paragraphs(tool.prose), fact_list(at, tool.pairs), for_and_against(at, tool, below), visit)
    return "\n".join((make_heading(at, level, heading, tool), *parts))


def list_answer(at: Shelf, ranks: Sequence[int | None]) -> Answer:
    """The key of a page with a section for each tool."""
    return Answer(
        "compares",
        tuple(make_answer(tool, rank) for tool, rank in zip(at.tools, ranks, strict=True)),
        frozenset(cell for tool in at.tools for cell in section_cells(tool, at)),
        prose=at.prose,
    )


def make_closing(at: Shelf, level: str = "h2") -> str:
    """Sections that are of no tool."""
    return "".join(
        tag(level, text(head)) + paragraphs([at.intro[place]]) for place, head in enumerate(at.words["heads"])
    )


def surround(at: Shelf, *parts: str) -> str:
    """Parts of a page between its introduction and sections that belong to no tool."""
    return "\n".join((paragraphs(at.intro), *parts, make_closing(at)))


def make_numbered_list(at: Shelf, title: str) -> Page:
    """Numbered sections, sometimes counted down."""
    form = RANKED[at.style.ranks % len(RANKED)]
    ranks = [*range(1, len(at.tools) + 1)][:: -1 if at.form == 2 else 1]
    parts = [
        section(tool, at, form.format(rank=rank, name=tool.name)) for tool, rank in zip(at.tools, ranks, strict=True)
    ]
    return Page(title, surround(at, *parts), list_answer(at, ranks))


@layout(LISTS, lambda form: 5 + form)
def numbered(at: Shelf) -> Page:
    """`7 best X`, each below `1. Alpha`, `#1 Alpha` or `7) Alpha`."""
    return make_numbered_list(at, at.title("listing"))


@layout(LISTS, 5)
def unnumbered(at: Shelf) -> Page:
    """Sections without numbers. The title says how many there are, or says no number; other sections follow."""
    parts = [section(tool, at, tool.name) for tool in at.tools]
    return Page(at.title("uncounted" if at.form else "listing"), surround(at, *parts), list_answer(at, [None] * 5))


@layout(LISTS, 6)
def alternatives(at: Shelf) -> Page:
    """`6 Alpha alternatives`; headings say what each is best for, too."""
    forms = ("{rank}. {name}: Best for {best}", "{rank}. {name} (best for {best})", "{rank}. Best for {best}: {name}")
    parts, tools, cells = [], [], []
    for rank, tool in enumerate(at.tools, start=1):
        best = tool.find_values("best_for") or ""
        heading = forms[at.form].format(rank=rank, name=tool.name, best=best)
        pairs = [(fact.label, fact.value) for fact in tool.facts if fact.meaning != "best_for"]
        parts.append(make_heading(at, "h2", heading, tool) + paragraphs(tool.prose) + fact_list(at, pairs))
        praise = f"{'best' if at.form == 1 else 'Best'} for {best}"
        tools.append(AnsweredTool(tool.name, rank, tool.find_values("price"), tool.find_values("rating"), praise))
        cells += make_cells(tool.name, pairs)
    answer = Answer("compares", tuple(tools), frozenset(cells), prose=at.prose)
    title = at.title("alternatives", name=at.others[0])
    return Page(title, surround(at, *parts), answer)


@layout(LISTS, lambda form: 2 + form % 2)
def versus_sections(at: Shelf) -> Page:
    """`Alpha vs Beta`: a section for each, and sections about both."""
    parts = [section(tool, at, tool.name) for tool in at.tools]
    return Page(at.title("versus"), surround(at, *parts), list_answer(at, [None] * len(at.tools)))


@layout(LISTS, 6, "de")
def german_list(at: Shelf) -> Page:
    """`Die 6 besten X im Vergleich`, with a comma in numbers."""
    return make_numbered_list(at, at.title("listing"))
