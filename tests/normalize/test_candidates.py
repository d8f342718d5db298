"""Which tools of the panel other sites name: no name alone merges."""

import pytest

from builders import named_tools
from builders.normalize_pages import outside_nights
from verdicts.normalize.corpus import normalize
from verdicts.normalize.external import find_best_matches
from verdicts.normalize.identity.ids import KnownTool
from verdicts.normalize.parse.names import find_link_vendor, split_company

PAGE = "https://lists.example.org/best"


def make_tool(tool_id: str, name: str, slug: str | None = None) -> KnownTool:
    return KnownTool(tool_id, name, None, slug, None, None, "", None)


def test_labelled_pairs_are_matched_as_well_as_ever() -> None:
    assert named_tools.digest() == named_tools.FLOORS["digest"]
    measured = named_tools.measure()
    fallen = {name: share for name, share in measured._asdict().items() if share < named_tools.FLOORS[name]}
    assert fallen == {}
    assert len(named_tools.pairs()) >= 300


@pytest.mark.parametrize(
    ("name", "link", "panel", "reason"),
    [
        ("Claude Code by Anthropic", None, "Claude Code", "same_name_and_vendor"),
        ("Claude Code", "https://docs.claude.com/en/overview", "Claude Code", "same_name_and_vendor"),
        ("Claude Code", None, "Claude Code", "same_name"),
        ("Claude Code", "https://claude.com/product?ref=list", "Claude Code", "same_name"),
        ("Claude Code", "https://lists.example.org/go/claude-code", "Claude Code", "same_name"),
        ("Claude Code", "https://lists.example.org/?to=https://claude.com", "Claude Code", "same_name"),
        ("Claude Code", "http://[broken", "Claude Code", "same_name"),
        ("Nobodys Assistants Playgrund", None, "Nobodys Assistants Playground", "similar_name"),
        ("Copilot", "https://copilot.microsoft.com", "GitHub Copilot", "other_vendor"),
        ("Copilot (Microsoft)", "https://github.com/features/copilot", "GitHub Copilot", "other_vendor"),
        ("OpenAI GPT-4", "https://openai.com", "GPT-4o", "other_version"),
        ("Codestral 2.0", "https://mistral.ai", "Codestral 2", "other_version"),
        # One maker's site leads to all it makes.
        ("Claude", "https://claude.com/product/claude-code", "Claude Code", None),
        ("???", None, "Claude Code", None),
    ],
)
def test_what_speaks_for_a_tool_is_told(name: str, link: str | None, panel: str, reason: str | None) -> None:
    matches = find_best_matches(name, link, PAGE, [make_tool("a", panel)])
    assert [match.reason for match in matches] == ([] if reason is None else [reason])


def test_a_vendor_that_compares_its_rivals_links_to_its_own_words() -> None:
    own = "https://openai.com/compare"
    (match,) = find_best_matches(
        "Claude Code", "https://openai.com/compare/claude-code", own, [make_tool("a", "Claude Code")]
    )
    assert match.reason == "same_name"


def test_tools_of_one_name_are_all_told_and_better_evidence_alone() -> None:
    tools = [
        make_tool("c", "SmolLM3"),
        make_tool("a", "SmolLM3"),
        make_tool("b", "Smollm 3"),
        make_tool("d", "SmolLM2"),
    ]
    assert [match.tool_id for match in find_best_matches("SmolLM3", None, PAGE, tools)] == ["a", "b", "c"]
    named = find_best_matches(
        "Copilot by GitHub", None, PAGE, [make_tool("a", "Copilot"), make_tool("b", "GitHub Copilot")]
    )
    assert [match.tool_id for match in named] == ["b"]


@pytest.mark.parametrize(
    ("link", "vendor"),
    [
        ("https://www.anthropic.com/news", "Anthropic"),
        ("https://notanthropic.com", None),
        ("https://anthropic.com.example.org", None),
        ("https://github.com/features/copilot", "GitHub"),
        ("https://github.com/featuresque", None),
        ("https://apps.apple.com/app/claude", None),
        ("/claude", None),
        ("mailto:sales@anthropic.com", None),
        ("https://anthropic.com/go/claude", None),
        ("https://anthropic.com/?VIA=someone", None),
        ("https://anthropic.com/?utm_source=list", "Anthropic"),
    ],
)
def test_a_link_says_a_vendor_where_it_ends_on_its_own_site(link: str, vendor: str | None) -> None:
    assert find_link_vendor(link) == vendor


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("OpenAI GPT-4.1", ("gpt-4.1", "OpenAI")),
        ("Stability AI: Stable Audio", ("stable audio", "Stability AI")),
        ("Command by Cohere", ("command", "Cohere")),
        ("Gemini (Google)", ("gemini", "Google")),
        ("Perplexity", ("perplexity", None)),
        ("Cursor by Acme", ("cursor by acme", None)),
        ("Googler", ("googler", None)),
    ],
)
def test_a_name_may_say_who_makes_it(name: str, parts: tuple[str, str | None]) -> None:
    assert split_company(name) == parts


def test_every_tool_that_another_site_names_is_decided() -> None:
    decisions = set()
    for seed in range(4):
        corpus = normalize(item for new in outside_nights(seed) for item in new)
        named = {(row.page_id, row.tool_number) for row in corpus["mentions"] if row.known_by != "panel"}
        assert {(row.page_id, row.tool_number) for row in corpus["product_candidates"]} == named
        decisions |= {row.decision for row in corpus["product_candidates"]}
    assert decisions >= {"none", "candidate"}
