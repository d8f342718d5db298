"""Text dumps without an address, of pages that the corpus also has as HTML."""

import pytest

from builders.renderings import rendered
from builders.snapshots import observe
from verdicts.demo_site.facts import load_facts
from verdicts.normalize.corpus import normalize


@pytest.fixture(scope="module")
def observations():
    return observe(*(rendered(pair, "html_semantic") for pair in load_facts().pairs))


@pytest.fixture(scope="module")
def corpus(observations):
    return normalize(observations)


def test_dumps_without_an_address_find_the_tools_that_slugs_claimed(observations, corpus):
    facts = load_facts()
    dumps = observe(
        *(rendered(pair, "quotes", url="urn:sha256:" + f"{n:064x}") for n, pair in enumerate(facts.pairs[:20]))
    )
    both = normalize([*observations, *dumps])
    assert len(both["tools"]) == len(corpus["tools"])
    assert len(both["pages"]) == len(corpus["pages"])
    assert both["tool_aliases"]
    assert len(both["reviews"]) == len(corpus["reviews"])


def test_an_address_that_comes_later_gives_the_tools_of_a_known_dump_their_slugs():
    pair = load_facts().pairs[0]
    bare = rendered(pair, "quotes", url="urn:sha256:" + "0" * 64, night=1)
    addressed = rendered(pair, "quotes", night=2)
    tools = normalize(observe(bare, addressed))["tools"]
    assert sorted((row.slug, row.host) for row in tools) == [
        (pair.a, "demo.verdicts.example"),
        (pair.b, "demo.verdicts.example"),
    ]
