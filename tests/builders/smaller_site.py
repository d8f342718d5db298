"""The demo site with a part of its comparisons, for nights of which a test needs many."""

from dataclasses import replace

from verdicts.demo_site import responses
from verdicts.demo_site.facts import load_facts


def shrink(pairs: int) -> None:
    """From now on this process serves so many comparisons, spread over the whole, and the pages of their tools."""
    facts = load_facts()
    few = facts.pairs[:: len(facts.pairs) // pairs][:pairs]
    tools = {slug: tool for slug, tool in facts.tools.items() if any(slug in (pair.a, pair.b) for pair in few)}
    smaller = replace(facts, pairs=few, tools=tools)
    responses.load_facts = lambda: smaller
    responses.build_site.cache_clear()
