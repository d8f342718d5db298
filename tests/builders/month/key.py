"""The answer key: what the corpus must say after a night, from the facts that the nights saw and from nothing else."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from statistics import mean
from typing import Any, NamedTuple

from builders.month.site import HOST, MonthTool, Shown, Site


class Sight(NamedTuple):
    """A page as a night saw it. `day` is that of the night's clock."""

    night: int
    day: date
    url: str
    shown: Shown

    @property
    def tools(self) -> tuple[MonthTool, MonthTool]:
        return self.shown.a, self.shown.b


@dataclass
class Seen:
    """All that the nights saw so far. Addresses are whole URLs."""

    sights: list[Sight] = field(default_factory=list)
    held: set[str] = field(default_factory=set)
    """Addresses of pages that were seen."""
    redirects: dict[str, str] = field(default_factory=dict)
    missing: dict[str, list[tuple[date, int]]] = field(default_factory=dict)
    """Days on which an address was asked for and had no page, each with the status."""
    gone: dict[str, date] = field(default_factory=dict)
    """Addresses that are gone, each with the day since when."""
    returned: dict[tuple[str, date], date] = field(default_factory=dict)
    """Addresses that were gone, and had a page again on a day, with the day since when they were gone."""
    numbers: dict[str, int] = field(default_factory=dict)
    """The number of the tool by every slug that it ever had."""
    takes: dict[str, int] = field(default_factory=dict)
    """Every text that was seen, to the number of its take."""

    def look(self, night: int, day: date, site: Site, asked: Collection[str]) -> None:
        """A night that asked the site for these paths."""
        shown = site.list_shown()
        for path in sorted(asked):
            url = address(path)
            if path in shown:
                self._see(Sight(night, day, url, shown[path]))
            elif path in site.removed:
                self.missing.setdefault(url, []).append((day, site.removed[path]))
            elif path in site.redirects:
                self.redirects[url] = address(site.redirects[path])
        self.gone = {url: self.gone.get(url, day) for url in self.missing if is_gone(self, url)}

    def _see(self, sight: Sight) -> None:
        self.sights.append(sight)
        self.held.add(sight.url)
        if sight.url in self.gone:
            self.returned[sight.url, sight.day] = self.gone[sight.url]
        self.missing.pop(sight.url, None)
        for tool in sight.tools:
            self.numbers[tool.slug] = tool.number
            self.takes |= {take.text: take.number for take in tool.takes}

    def find_page(self, url: str) -> str:
        """The address that a page has now, as far as nights were led there and saw a page."""
        end = url
        for _ in self.redirects:
            if end not in self.redirects:
                break
            end = self.redirects[end]
        return end if end in self.held else url

    def was_gone(self, url: str, day: date) -> bool:
        times = [(self.gone[url], date.max)] if url in self.gone else []
        times += [(since, until) for (of, until), since in self.returned.items() if of == url]
        return any(since <= day < until for since, until in times)

    def find_first_slugs(self) -> dict[str, str]:
        """Each slug to the one that the tool was seen with first, as far as redirects said that they are one."""
        slugs: dict[str, dict[int, str]] = {}
        first: dict[str, str] = {}
        for sight in self.sights:
            for tool in sight.tools:
                slugs.setdefault(sight.url, {})[tool.number] = tool.slug
                first.setdefault(tool.slug, tool.slug)
        order = [*first]
        for url in self.redirects:
            for number, before in slugs.get(url, {}).items():
                after = slugs.get(self.find_page(url), {}).get(number, before)
                older, newer = sorted((first[before], first[after]), key=order.index)
                first = {slug: older if start == newer else start for slug, start in first.items()}
        return first

    def by_page(self) -> Iterator[tuple[str, list[Sight]]]:
        """Every page by its present address, with its sights, oldest first."""
        pages: dict[str, list[Sight]] = {}
        ends = {url: self.find_page(url) for url in self.held}
        for sight in self.sights:
            pages.setdefault(ends[sight.url], []).append(sight)
        yield from pages.items()


def address(path: str) -> str:
    return f"http://{HOST}{path}"


GONE_AFTER = 3
"""Days with a 404 after which a page is gone; one 410 is enough."""

Facts = Mapping[Any, Any]
Key = dict[str, Facts]
"""Name of a check to what is to be found, by a key of the site's: addresses, numbers of tools and takes."""


def answer_key(seen: Seen) -> Key:
    pages, tools = dict(seen.by_page()), seen.find_first_slugs()
    prices = histories(seen, tools, price_tool)
    described_tools = histories(seen, tools, describe_tool)
    return {
        "pages": {url: (sights[-1].shown.title, is_gone(seen, url)) for url, sights in pages.items()},
        "tools": {
            key: (name, category, entry, description)
            for key, history in described_tools.items()
            for name, _, description, category, entry in (history[-1][1],)
        },
        "cards": _map_tools(pages, card),
        "verdicts": {at: said for at, said in _map_tools(pages, decision).items() if said[0] is not None},
        "prices": {key: tiers(price) for key, history in prices.items() for (price,) in (history[-1][1],) if price},
        "who said what": who_said_what(seen, pages),
        "scorecards": scorecards(seen, pages),
        "appearances": {
            (url, take.text): take.number
            for url, sights in pages.items()
            for sight in sights
            for tool in sight.tools
            for take in tool.takes
        },
        "tool history": described_tools,
        "price history": {key: [state for state in history if state[1] != (None,)] for key, history in prices.items()},
        "verdict history": verdict_histories(seen, pages),
    }


def is_gone(seen: Seen, url: str) -> bool:
    days = seen.missing.get(url, [])
    return any(status == 410 for _, status in days) or len({day for day, _ in days}) >= GONE_AFTER


def card(sight: Sight, tool: MonthTool) -> tuple[Any, ...]:
    chip = tool.chip.lower() if sight.shown.is_labelled else None
    community = tool.community.percent if tool.community else None
    return (tool.name, tool.tagline, tool.category, tool.panel_pct, chip, community, tool.entry, tool.description)


def decision(sight: Sight, tool: MonthTool) -> tuple[Any, ...]:
    if not sight.shown.is_labelled:
        return (None,) * 8
    votes = (tool.community.percent, tool.community.votes) if tool.community else (None, 0)
    return (tool.chip.lower(), tool.ships, tool.skips, *votes, tool.pricing, tool.tagline, tool.category)


def describe_tool(_: Sight, tool: MonthTool) -> tuple[Any, ...]:
    return (tool.name, tool.tagline, tool.description, tool.category, tool.entry)


def price_tool(sight: Sight, tool: MonthTool) -> tuple[Any, ...]:
    return (tool.pricing if sight.shown.is_labelled else None,)


def count_votes(sight: Sight, tool: MonthTool) -> tuple[Any, ...]:
    if not sight.shown.is_labelled:
        return (None, None, None, tool.panel_pct, None, None, None)
    chip, ships, skips, *votes, pricing, _, _ = decision(sight, tool)
    return (chip, ships, skips, tool.panel_pct, *votes, pricing)


def _map_tools(pages: Mapping[str, list[Sight]], says: Callable[[Sight, MonthTool], tuple[Any, ...]]) -> dict[Any, Any]:
    """What each page says of its two tools: what it said last."""
    return {
        (url, tool.number): says(sight, tool)
        for url, sights in pages.items()
        for sight in sights
        for tool in sight.tools
    }


History = list[tuple[date, tuple[Any, ...]]]
"""Since which day what was so."""


def histories(
    seen: Seen, tools: Mapping[str, str], says: Callable[[Sight, MonthTool], tuple[Any, ...]]
) -> dict[str, History]:
    """Of every tool: of each field what was said last of what its pages show. A page that says what it
    said before is no news, and one that is gone says nothing, unless all are.
    """
    found: dict[str, History] = {}
    said: dict[str, dict[int, dict[str, Any]]] = {}
    pages: dict[str, set[str]] = {}
    for (_, day), sights in groupby(seen.sights, key=lambda sight: (sight.night, sight.day)):
        for sight in sights:
            page = seen.find_page(sight.url)
            for tool in sight.tools:
                key = tools[tool.slug]
                pages.setdefault(key, set()).add(page)
                for place, value in enumerate(says(sight, tool)):
                    of_pages = said.setdefault(key, {}).setdefault(place, {})
                    if of_pages.get(page) != value:
                        of_pages.pop(page, None)
                        of_pages |= {} if value is None else {page: value}
        for key, by_place in said.items():
            there = {page for page in pages[key] if not seen.was_gone(page, day)} or pages[key]
            now = (next((of[page] for page in reversed(of) if page in there), None) for of in by_place.values())
            _go_on(found.setdefault(key, []), day, tuple(now))
    return {key: history for key, history in found.items() if history}


def verdict_histories(seen: Seen, pages: Mapping[str, list[Sight]]) -> dict[tuple[str, int], History]:
    """Of both tools of every page. One that comes back states anew what it states."""
    found: dict[tuple[str, int], History] = {}
    for url, sights in pages.items():
        for sight in sights:
            for tool in sight.tools:
                history = found.setdefault((url, tool.number), [])
                if (sight.url, sight.day) in seen.returned:
                    history.append((sight.day, count_votes(sight, tool)))
                else:
                    _go_on(history, sight.day, count_votes(sight, tool))
    return found


def _go_on(history: History, day: date, now: tuple[Any, ...]) -> None:
    """A value that was never known before is no change."""
    known = [place for place in range(len(now)) if any(state[place] is not None for _, state in history)]
    if not history:
        history += [(day, now)] if any(value is not None for value in now) else []
    elif all(history[-1][1][place] == now[place] for place in known):
        history[-1] = (history[-1][0], now)
    else:
        history.append((day, now))


def who_said_what(seen: Seen, pages: Mapping[str, list[Sight]]) -> dict[int, tuple[Any, ...]]:
    """Take to the number of its tool, its reviewer, score and verdict, and whether that was read off a label.

    Of several tools the one that had it first, as long as a page stands, as far as nights saw, that says so: a page
    whose address was not asked for since still does.
    """
    told: dict[int, list[tuple[Any, ...]]] = {}
    for sight in seen.sights:
        for tool in sight.tools:
            for take in tool.takes:
                labels = (take.reviewer, take.score, take.verdict, True)
                label = labels if sight.shown.is_labelled else (None, None, None, False)
                told.setdefault(take.number, []).append((tool.number, *label))
    standing = {
        (take.number, tool.number)
        for url, sights in pages.items()
        if sights[-1].shown.is_labelled and not is_gone(seen, url)
        for tool in sights[-1].tools
        for take in tool.takes
    }
    statements = {}
    for number, told_of_take in told.items():
        labelled = [statement for statement in told_of_take if statement[-1]] or told_of_take
        owners = (owner for owner, *_ in labelled if (number, owner) in standing)
        first = next(owners, labelled[-1][0])
        statements[number] = [statement for statement in labelled if statement[0] == first][-1]
    return statements


def scorecards(seen: Seen, pages: Mapping[str, list[Sight]]) -> dict[int, tuple[Any, ...]]:
    """Number of each tool of the site to its takes on pages now, their mean score, and the panel's newest statement."""
    standing = {url: sights for url, sights in pages.items() if not is_gone(seen, url)}
    shown = {take.number for sights in standing.values() for tool in sights[-1].tools for take in tool.takes}
    scores: dict[int, list[int | None]] = {}
    for number, (tool, _, score, *_) in who_said_what(seen, pages).items():
        if number in shown:
            scores.setdefault(tool, []).append(score)
    stated: dict[int, tuple[int, tuple[Any, ...]]] = {}
    for sights in standing.values():
        last: dict[int, tuple[Any, ...]] = {}
        for sight in sights:
            for tool in sight.tools:
                chip, ships, skips, percent, *_ = count_votes(sight, tool)
                if chip is not None and count_votes(sight, tool) != last.get(tool.number):
                    last[tool.number] = count_votes(sight, tool)
                    newest = (sight.night, (chip, ships, skips, percent))
                    stated[tool.number] = max(stated.get(tool.number, newest), newest)
    return {
        number: (
            len(of),
            mean(known) if (known := [one for one in of if one is not None]) else None,
            *stated[number][1],
        )
        for number, of in scores.items()
    }


def tiers(pricing: str) -> list[tuple[str, float, str]]:
    """Plan, amount and period of what is paid."""
    found = re.findall(r"(?:(\w+) \$(\d+)/mo|\$(\d+)/mo (\w+))", pricing)
    return [(before or after, float(first or second), "month") for before, first, second, after in found]
