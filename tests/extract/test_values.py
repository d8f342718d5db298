"""Values that no page has shown yet, in every rendering."""

from dataclasses import asdict, replace
from typing import Any

import pytest

from builders.answer_key import make_key, without_spans
from builders.renderings import RENDERERS, page_url
from builders.snapshots import html, snapshot
from verdicts.demo_site.site_facts import CommunityVote, Facts, Pair, ReviewerTake, Row, Tool, load_facts
from verdicts.extract.model.records import Comparison
from verdicts.extract.page import extract

SEVEN = ("Builder", "Skeptic", "Futurist", "Security Lead", "Accountant", "Data Scientist", "Night Operator")


class AnyPanel(Facts):
    """Facts whose reviewers are those of the takes, in their order."""

    def scorecard(self, pair: Pair) -> tuple[Row, ...]:
        a, b = self.cards(pair)
        reviewers = dict.fromkeys([take.reviewer for tool in (a, b) for take in tool.takes])
        return tuple(Row(reviewer, a.take_by(reviewer), b.take_by(reviewer)) for reviewer in reviewers)


def takes(of: str, ships: int, reviewers: tuple[str, ...]) -> tuple[ReviewerTake, ...]:
    return tuple(
        ReviewerTake(
            reviewer,
            7 * number + 3,
            "ship" if number < ships else "skip",
            f"What the {reviewer} makes of {of}, at some length: number {number}.",
        )
        for number, reviewer in enumerate(reviewers)
    )


def make_facts(a: Tool, b: Tool) -> tuple[Facts, Pair]:
    pair = Pair(a.slug, b.slug, "semantic", "link")
    return AnyPanel({a.slug: a, b.slug: b}, (pair,), ()), pair


FIRST, SECOND = (replace(load_facts().tools[slug], community=None) for slug in sorted(load_facts().tools)[:2])

VARIANTS: dict[str, tuple[Tool, Tool]] = {
    "0 % and a Skip line": (replace(FIRST, takes=takes("A", 0, SEVEN[:4])), SECOND),
    "33 %": (replace(FIRST, takes=takes("A", 1, SEVEN[:3])), SECOND),
    "seven reviewers, four of them unknown": (
        replace(FIRST, takes=takes("A", 1, SEVEN)),
        replace(SECOND, takes=takes("B", 6, SEVEN)),
    ),
    "one reviewer": (replace(FIRST, takes=takes("A", 1, SEVEN[:1])), replace(SECOND, takes=takes("B", 0, SEVEN[:1]))),
    "community votes": (
        replace(FIRST, community=CommunityVote(62, 130)),
        replace(SECOND, community=CommunityVote(0, 1)),
    ),
    "unknown categories": (replace(FIRST, category="Horology"), replace(SECOND, category="Chronology")),
    "-vs- inside a slug": (replace(FIRST, slug="a-vs-b-tool"), replace(SECOND, slug="z-vs-y")),
    "the same name on both sides": (replace(FIRST, name="Twin 2.0"), replace(SECOND, name="Twin 2.0")),
    "vs inside a name": (replace(FIRST, name="Chess vs Clock"), replace(SECOND, name="Clock vs Chess vs All")),
    "names like labels": (replace(FIRST, name="Community"), replace(SECOND, name="Pricing")),
    "a score of nothing and of all": (
        replace(FIRST, takes=(ReviewerTake("Builder", 0, "skip", "Nothing to see in this one, said at length."),)),
        replace(SECOND, takes=(ReviewerTake("Builder", 100, "ship", "All that one could want, said at length."),)),
    ),
}


def read_page(body: str, pair: Pair, rendering: str) -> dict[str, Any]:
    make = html if rendering.startswith("html") else snapshot
    comparison = extract(make(body, page_url(pair)))
    assert isinstance(comparison, Comparison), comparison
    return without_spans(asdict(comparison))


@pytest.mark.parametrize("rendering", RENDERERS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_value_is_read_in_every_rendering(variant, rendering):
    facts, pair = make_facts(*VARIANTS[variant])
    assert read_page(RENDERERS[rendering](facts, pair), pair, rendering) == make_key(pair, rendering, facts)


@pytest.mark.parametrize("rendering", ["html_semantic", "html_flat", "html_jsonld", "innertext"])
def test_a_take_without_a_score_keeps_its_verdict(rendering):
    facts, pair = make_facts(FIRST, SECOND)
    body = RENDERERS[rendering](facts, pair)
    for tool in (FIRST, SECOND):
        for take in tool.takes:
            tagged = f'<data value="{take.score}">{take.score}/100</data> · '
            body = body.replace(tagged, "")
            for joint in ("/100 · ", "/100<!-- --> · <!-- -->", "<!-- -->/100 · <!-- -->"):
                body = body.replace(f"{take.score}{joint}{take.verdict}", take.verdict)
    read = read_page(body, pair, rendering)["takes"]
    assert {take["score"] for take in read} == {None}
    assert [take["verdict"] for take in read] == [take["verdict"] for take in make_key(pair, rendering, facts)["takes"]]
