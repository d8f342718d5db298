"""The answer key: what the corpus must say after a night, from the facts that the nights saw and from nothing else."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

from builders.month.seen import Seen, Sight, ToolKey
from builders.month.site import MonthTool

GONE_AFTER = 3
"""Days with a 404 after which a page is gone; one 410 is enough."""

Facts = Mapping[Any, Any]
Key = dict[str, Facts]
"""Name of a check to what is to be found, by a key of the site's: addresses, numbers of tools and takes."""


def answer_key(seen: Seen) -> Key:
    pages, tools = dict(seen.by_page()), seen.tools()
    prices = {key: history for key, history in histories(seen.sights, tools, priced).items() if history}
    return {
        "pages": {url: (sights[-1].shown.title, is_gone(seen, url)) for url, sights in pages.items()},
        "tools": {
            tools[sight.host, tool.slug]: (tool.name, tool.category, tool.entry, tool.description)
            for sight in seen.sights
            for tool in sight.tools
        },
        "cards": _of_tools(pages, card),
        "verdicts": {at: said for at, said in _of_tools(pages, decision).items() if said[0] is not None},
        "prices": {key: tiers(history[-1][1][0]) for key, history in prices.items()},
        "who said what": who_said_what(seen, pages),
        "appearances": {
            (url, take.text): take.number
            for url, sights in pages.items()
            for sight in sights
            for tool in sight.tools
            for take in tool.takes
        },
        "tool history": histories(seen.sights, tools, described),
        "price history": prices,
        "verdict history": verdict_histories(pages),
    }


def is_gone(seen: Seen, url: str) -> bool:
    days = seen.missing.get(url, [])
    return any(status == 410 for _, status in days) or len({day for day, _ in days}) >= GONE_AFTER


def card(sight: Sight, tool: MonthTool) -> tuple[Any, ...]:
    tagline = tool.tagline if sight.shown.has_taglines else None
    chip = tool.chip.lower() if sight.shown.is_labelled else None
    community = tool.community.percent if tool.community else None
    return (tool.name, tagline, tool.category, tool.panel_pct, chip, community, tool.entry, tool.description)


def decision(sight: Sight, tool: MonthTool) -> tuple[Any, ...]:
    if not sight.shown.is_labelled:
        return (None,) * 8
    votes = (tool.community.percent, tool.community.votes) if tool.community else (None, 0)
    tagline = tool.tagline if sight.shown.has_taglines else None
    return (tool.chip.lower(), tool.ships, tool.skips, *votes, tool.pricing, tagline, tool.category)


def described(sight: Sight, tool: MonthTool) -> tuple[Any, ...]:
    tagline = tool.tagline if sight.shown.has_taglines else None
    return (tool.name, tagline, tool.description, tool.category, tool.entry)


def priced(sight: Sight, tool: MonthTool) -> tuple[Any, ...]:
    return (tool.pricing if sight.shown.is_labelled else None,)


def voted(sight: Sight, tool: MonthTool) -> tuple[Any, ...]:
    if not sight.shown.is_labelled:
        return (None, None, None, tool.panel_pct, None, None, None)
    chip, ships, skips, *votes, pricing, _, _ = decision(sight, tool)
    return (chip, ships, skips, tool.panel_pct, *votes, pricing)


def _of_tools(pages: Mapping[str, list[Sight]], says: Callable[[Sight, MonthTool], tuple[Any, ...]]) -> dict[Any, Any]:
    """What each page says of its two tools: of each field what it said last."""
    found: dict[Any, tuple[Any, ...]] = {}
    for url, sights in pages.items():
        for sight in sights:
            for tool in sight.tools:
                found[url, tool.number] = over(found.get((url, tool.number)), says(sight, tool))
    return found


def over(before: tuple[Any, ...] | None, now: tuple[Any, ...]) -> tuple[Any, ...]:
    """What is said now; of a field that is not shown any more, what was said before."""
    return tuple(old if new is None else new for old, new in zip(before or (None,) * len(now), now, strict=True))


History = list[tuple[date, tuple[Any, ...]]]
"""Since which day what was so."""


def histories(
    sights: Iterable[Sight], tools: Mapping[ToolKey, ToolKey], says: Callable[[Sight, MonthTool], tuple[Any, ...]]
) -> dict[ToolKey, History]:
    """Of every tool of every host. A page that says what it said before is no news of a tool."""
    found: dict[ToolKey, History] = {}
    last: dict[tuple[str, int], tuple[Any, ...]] = {}
    for sight in sights:
        for tool in sight.tools:
            said = says(sight, tool)
            if last.get((sight.url, tool.number)) != said:
                last[sight.url, tool.number] = said
                _go_on(found.setdefault(tools[sight.host, tool.slug], []), sight.day, said)
    return found


def verdict_histories(pages: Mapping[str, list[Sight]]) -> dict[tuple[str, int], History]:
    """Of both tools of every page, from the first sight with a Decision table on."""
    found: dict[tuple[str, int], History] = {}
    for url, sights in pages.items():
        labelled = [number for number, sight in enumerate(sights) if sight.shown.is_labelled]
        for sight in sights[labelled[0] :] if labelled else []:
            for tool in sight.tools:
                _go_on(found.setdefault((url, tool.number), []), sight.day, voted(sight, tool))
    return found


def _go_on(history: History, day: date, said: tuple[Any, ...]) -> None:
    if all(value is None for value in said):
        return
    if not history:
        history.append((day, said))
        return
    since, before = history[-1]
    now = over(before, said)
    if all(old in {None, new} for old, new in zip(before, now, strict=True)):
        history[-1] = (since, now)
    else:
        history.append((day, now))


def who_said_what(seen: Seen, pages: Mapping[str, list[Sight]]) -> dict[int, tuple[Any, ...]]:
    """Take to the number of its tool, its seat, score and verdict, and whether that was read off a label.

    As the site says it; as a mirror says it where the site never did. Of several tools the one that had it first, as
    long as a page stands, as far as nights saw, that says so: a page whose address was not asked for since still does.
    """
    told: dict[int, list[tuple[str, tuple[Any, ...]]]] = {}
    for sight in seen.sights:
        for tool in sight.tools:
            for take in tool.takes:
                said = (
                    (take.seat, take.score, take.verdict, True)
                    if sight.shown.is_labelled
                    else (None, None, None, False)
                )
                told.setdefault(take.number, []).append((sight.host, (tool.number, *said)))
    standing = {
        (sights[-1].host, take.number, tool.number)
        for url, sights in pages.items()
        if sights[-1].shown.is_labelled and not is_gone(seen, url)
        for tool in sights[-1].tools
        for take in tool.takes
    }
    found = {}
    for number, sayings in told.items():
        home = sayings[0][0]
        at_home = [said for host, said in sayings if host == home]
        labelled = [said for said in at_home if said[-1]] or at_home
        first = next((said[0] for said in labelled if (home, number, said[0]) in standing), labelled[-1][0])
        found[number] = [said for said in labelled if said[0] == first][-1]
    return found


def tiers(pricing: str) -> list[tuple[str, float, str]]:
    """Plan, amount and period of what is paid."""
    found = re.findall(r"(?:(\w+) \$(\d+)/mo|\$(\d+)/mo (\w+))", pricing)
    return [(before or after, float(first or second), "month") for before, first, second, after in found]
