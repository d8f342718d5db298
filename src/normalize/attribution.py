"""Who a review is about: every page narrows it, the strongest evidence decides, and the reason is kept.

The evidence rests on one fact of such sites: a tool's takes are the same on every page it is on. Kinds, strongest first:
observed, matched, intersected, excluded, ordered. Evidence that contradicts is reported, never averaged.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from normalize.alignment import align
from normalize.folding import Match, Sighting
from normalize.panels import panel_sizes
from normalize.rows import Attribution
from normalize.views import View

STRENGTH: tuple[Attribution, ...] = ("observed", "matched", "intersected", "excluded", "ordered")

CONFIDENCE: Mapping[Attribution, float] = {
    "observed": 1.0,  # the page says so
    "matched": 0.99,  # the same words elsewhere say so
    "intersected": 0.98,  # no other tool is on all the pages
    "excluded": 0.95,  # rests on pages being complete
    "ordered": 0.8,  # row order alone; scaled by how many of the best alignments agree
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason, in words for a person."""

    kind: Attribution
    page_id: str
    detail: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The tool of a review, the strongest kind of evidence for it, and all reasons."""

    tool_id: str
    kind: Attribution
    confidence: float
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Evidence that cannot all be true."""

    page_id: str
    tool_id: str | None
    rule: str
    expected: str
    found: str


@dataclass(slots=True)
class _Page:
    """The newest words of a page: its reviews in reading order."""

    page_id: str
    title: str
    crawl_id: str
    tools: tuple[str, str]
    reviews: list[str]
    sizes: tuple[int | None, int | None]


@dataclass(slots=True)
class _Case:
    """One review while it is being solved."""

    review_id: str
    candidates: set[str]
    pages: set[str]
    shown: set[tuple[str, str]]
    """(tool, crawl) of every view that carries it, once for each tool on the view."""
    kind: Attribution | None = None
    evidence: list[Evidence] = field(default_factory=list)

    def place(self, tool_id: str, kind: Attribution, evidence: Evidence) -> None:
        self.candidates = {tool_id}
        self.kind = kind
        self.evidence.append(evidence)


def attribute(
    sightings: Sequence[Sighting], matches: Mapping[str, Match], names: Mapping[str, str]
) -> tuple[dict[str, Verdict], list[Conflict]]:
    """Solves every review. `sightings` come oldest first; `names` gives tools' names for the reasons."""
    conflicts: list[Conflict] = []
    cases = _cases(sightings, matches, conflicts)
    pages = _pages(sightings, matches)
    for case in cases.values():
        if case.kind is None:
            _intersect(case, names)
    _exclude_absent(cases, pages, names, conflicts)
    _exclude_by_panel(cases, pages, names)
    confidences = _order(cases, pages)
    verdicts = {}
    for review_id, case in cases.items():
        tool_id = min(case.candidates)
        kind = case.kind or "ordered"
        confidence = CONFIDENCE[kind] * confidences.get(review_id, 1.0)
        verdicts[review_id] = Verdict(tool_id, kind, round(confidence, 4), tuple(case.evidence))
    return verdicts, conflicts


def _cases(sightings: Sequence[Sighting], matches: Mapping[str, Match], conflicts: list[Conflict]) -> dict[str, _Case]:
    """Observed first: a label decides at once. Without one the tools common to all its pages remain."""
    cases: dict[str, _Case] = {}
    for sighting in sightings:
        review_id = matches[sighting.text_id].review_id
        view = sighting.view
        case = cases.get(review_id)
        if case is None:
            case = cases[review_id] = _Case(review_id, set(view.tools), set(), set())
        case.pages.add(view.page_id)
        case.shown |= {(tool, view.crawl_id) for tool in view.tools}
        if sighting.tool_id is None:
            if case.kind is None and not case.candidates & set(view.tools):
                tools = " or ".join(sorted(case.candidates))
                conflicts.append(Conflict(view.page_id, None, "attribution_conflict", tools, " or ".join(view.tools)))
            elif case.kind is None:
                case.candidates &= set(view.tools)
            continue
        if case.kind == "observed" and sighting.tool_id not in case.candidates:
            expected = min(case.candidates)
            conflicts.append(Conflict(view.page_id, expected, "take_tool_conflict", expected, sighting.tool_id))
            continue
        take = sighting.take
        label = " ".join(part for part in (take.seat, take.score, take.verdict) if part)
        reason = Evidence("observed", view.page_id, f"stands labelled {label or 'with its tool'} on this page")
        if reason not in case.evidence:
            case.place(sighting.tool_id, "observed", reason)
    return cases


def _pages(sightings: Sequence[Sighting], matches: Mapping[str, Match]) -> dict[str, _Page]:
    """The newest view of each page. Two renderings of one crawl say the same takes; the richer one is later."""
    newest: dict[str, tuple[View, list[Sighting]]] = {}
    for sighting in sightings:
        view = sighting.view
        if view.page_id not in newest or newest[view.page_id][0] is not view:
            newest[view.page_id] = (view, [])
        newest[view.page_id][1].append(sighting)
    pages = {}
    for page_id, (view, seen) in newest.items():
        reviews = [matches[item.text_id].review_id for item in sorted(seen, key=lambda item: item.take.position)]
        sizes = panel_sizes(view.comparison, len(reviews))
        pages[page_id] = _Page(page_id, view.comparison.title, view.crawl_id, view.tools, reviews, sizes)
    return pages


def _intersect(case: _Case, names: Mapping[str, str]) -> None:
    if len(case.candidates) == 1 and len(case.pages) > 1:
        tool = min(case.candidates)
        count = f"{names[tool]} is the only tool on all {len(case.pages)} pages that carry it"
        for page_id in sorted(case.pages):
            case.place(tool, "intersected", Evidence("intersected", page_id, count))


def _exclude_absent(
    cases: Mapping[str, _Case], pages: Mapping[str, _Page], names: Mapping[str, str], conflicts: list[Conflict]
) -> None:
    """A take that is missing from another page of a tool, read in the same crawl, is not that tool's."""
    by_tool: dict[tuple[str, str], list[_Page]] = defaultdict(list)
    for page in pages.values():
        for tool in set(page.tools):
            by_tool[tool, page.crawl_id].append(page)
    on_page = {page_id: frozenset(page.reviews) for page_id, page in pages.items()}
    for case in cases.values():
        if case.kind is not None:
            continue
        absent = {tool: _page_without(case, tool, by_tool, on_page) for tool in sorted(case.candidates)}
        left = [tool for tool, page in absent.items() if page is None]
        if len(left) == 1 and len(absent) > 1:
            other, page = next((tool, page) for tool, page in absent.items() if page is not None)
            reason = f"absent from '{page.title}', where {names[other]} also stands"
            case.place(left[0], "excluded", Evidence("excluded", page.page_id, reason))
        elif not left:
            tools = " or ".join(names[tool] for tool in sorted(case.candidates))
            first = min(case.pages)
            conflicts.append(
                Conflict(first, None, "attribution_conflict", f"a take of {tools}", "absent from other pages of each")
            )


def _page_without(
    case: _Case,
    tool: str,
    by_tool: Mapping[tuple[str, str], Sequence[_Page]],
    on_page: Mapping[str, Collection[str]],
) -> _Page | None:
    crawls = sorted(crawl for shown, crawl in case.shown if shown == tool)
    for crawl in crawls:
        for page in by_tool.get((tool, crawl), ()):
            if page.page_id not in case.pages and case.review_id not in on_page[page.page_id]:
                return page
    return None


def _exclude_by_panel(cases: Mapping[str, _Case], pages: Mapping[str, _Page], names: Mapping[str, str]) -> None:
    """Once a tool's whole panel is placed on a page, what is left is the other tool's. Runs until nothing moves."""
    pages_of: dict[str, list[str]] = defaultdict(list)
    for page in pages.values():
        for review in page.reviews:
            pages_of[review].append(page.page_id)
    waiting = sorted(pages)
    queued = set(waiting)
    while waiting:
        page = pages[waiting.pop()]
        queued.discard(page.page_id)
        for tool, other, size in (
            (page.tools[0], page.tools[1], page.sizes[0]),
            (page.tools[1], page.tools[0], page.sizes[1]),
        ):
            placed = sum(1 for review in page.reviews if cases[review].kind and tool in cases[review].candidates)
            open_cases = [cases[review] for review in page.reviews if cases[review].kind is None]
            if size is None or placed != size or tool == other:
                continue
            for case in open_cases:
                if other not in case.candidates:
                    continue
                reason = f"all {size} takes of {names[tool]} on this page are placed"
                case.place(other, "excluded", Evidence("excluded", page.page_id, reason))
                for touched in pages_of[case.review_id]:
                    if touched not in queued:
                        queued.add(touched)
                        waiting.append(touched)


def _order(cases: Mapping[str, _Case], pages: Mapping[str, _Page]) -> dict[str, float]:
    """What no evidence reaches follows the row order of its page: A before B within a row."""
    shares: dict[str, float] = {}
    for page in sorted(pages.values(), key=lambda page: page.page_id):
        sides = [_known_side(cases[review], page) for review in page.reviews]
        if None not in sides:
            continue
        for review, known, (side, share) in zip(page.reviews, sides, align(sides, page.sizes), strict=True):
            if known is None and cases[review].kind is None:
                reason = Evidence("ordered", page.page_id, f"stands where row order puts a take of side {'AB'[side]}")
                cases[review].place(page.tools[side], "ordered", reason)
                shares[review] = share
    for case in cases.values():
        if case.kind is None:
            page_id = min(case.pages)
            reason = Evidence("ordered", page_id, "stood on an earlier version of this page, without a label")
            case.place(min(case.candidates), "ordered", reason)
            shares[case.review_id] = 0.5
    return shares


def _known_side(case: _Case, page: _Page) -> int | None:
    if len(case.candidates) != 1 or case.kind is None:
        return None
    tool = min(case.candidates)
    return page.tools.index(tool) if tool in page.tools else None
