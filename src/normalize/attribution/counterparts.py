"""Mirrors: a review that several hosts show is about one tool, named as the host that showed it first names it.

A tool is a slug on its host, so each host's copy of a take is labelled with a tool of its own. That is no conflict as
long as these are counterparts: tools of different hosts with one slug, or else with one name.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from verdicts.normalize.dedup.mentions import Mention
from verdicts.normalize.identity.identity import ToolAddress
from verdicts.normalize.parse.text import fold_name


def counterparts_at_home(
    mentions: Sequence[Mention], addresses: Mapping[str, ToolAddress], names: Mapping[str, str]
) -> Mapping[str, str]:
    """For one review: tools of other hosts to the same tool on its home host. Empty where one host shows it.

    Home is the host of the first crawl day, of several that day the first in the alphabet: within a day, moments are
    chance.
    """
    first_days: dict[str, str] = {}
    tools_of: dict[str, set[str]] = defaultdict(set)
    for mention in mentions:
        for tool_id in mention.version.tool_ids:
            if tool_id in addresses:
                host, day = addresses[tool_id].host, mention.version.crawl_day
                first_days[host] = min(first_days.get(host, day), day)
                tools_of[host].add(tool_id)
    if len(first_days) < 2:
        return {}
    home = min(first_days, key=lambda host: (first_days[host], host))
    at_home: dict[str, str] = {}
    for host in sorted(tools_of.keys() - {home}):
        at_home |= _pairs(tools_of[host], tools_of[home], addresses, names)
    return at_home


def _pairs(
    tools: Iterable[str],
    tools_at_home: Iterable[str],
    addresses: Mapping[str, ToolAddress],
    names: Mapping[str, str],
) -> Mapping[str, str]:
    """A host's tools to those at home: by slug, and of what is left by a name that one tool of each has."""
    by_slug = {addresses[tool_id].slug: tool_id for tool_id in tools_at_home}
    pairs = {tool_id: by_slug[addresses[tool_id].slug] for tool_id in tools if addresses[tool_id].slug in by_slug}
    theirs = _by_name(set(tools) - pairs.keys(), names)
    ours = _by_name(set(tools_at_home) - set(pairs.values()), names)
    for name in theirs.keys() & ours.keys():
        if len(theirs[name]) == len(ours[name]) == 1:
            pairs[theirs[name][0]] = ours[name][0]
    return pairs


def _by_name(tools: Iterable[str], names: Mapping[str, str]) -> Mapping[str, Sequence[str]]:
    by_name: dict[str, list[str]] = defaultdict(list)
    for tool_id in tools:
        by_name[fold_name(names[tool_id])].append(tool_id)
    return by_name
