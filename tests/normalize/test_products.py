"""Which tools are suggested as one product, on names and slugs of the site."""

import pytest

from verdicts.normalize.identity.ids import KnownTool
from verdicts.normalize.identity.products import make_product_rows

HOST = "tools.example"


def _listing(slug: str, name: str, category: str = "Developer Tools", host: str = HOST) -> KnownTool:
    return KnownTool(slug, name, host, slug, None, category, "page", None)


def _groups(*listings: KnownTool) -> set[frozenset[str]]:
    groups: dict[str, set[str]] = {}
    for row in make_product_rows(listings)[0]:
        groups.setdefault(row.product_id, set()).add(row.tool_id)
    return {frozenset(group) for group in groups.values()}


SMOLLM = [
    _listing(f"hugging-face-smollm3-3b-{rest}", "SmolLM3")
    for rest in (
        "on-device-inference",
        "on-device-model",
        "parameter-model",
        "parameter-open-source",
        "on-device-model-rivaling-7b",
    )
]
CURSOR = [
    _listing("cursor-background-agents-autonomous-codebase-tasks", "Cursor Background Agents"),
    _listing("cursor-background-agent-async-multi-file-editing", "Cursor Background Agent"),
    _listing(
        "cursor-v0-50-background-agent-codebase-refactoring", "Cursor v0.50 – Background Agent & Codebase Refactoring"
    ),
]
VERCEL = [
    _listing("vercel-v0-3-full-stack-code-generation-database", "v0 3.0"),
    _listing("vercel-v0-3-full-stack-app-generation-github-sync", "v0 3.0 by Vercel"),
]


@pytest.mark.parametrize("entries", [SMOLLM, CURSOR, VERCEL], ids=["same name", "plural and release", "maker"])
def test_entries_of_one_product_are_grouped(entries: list[KnownTool]) -> None:
    assert _groups(*entries) == {frozenset(entry.tool_id for entry in entries)}


@pytest.mark.parametrize(
    ("slug", "name", "other_slug", "other_name"),
    [
        ("codestral-2-mistral-22b-apache-code-completion-fill-in-middle-2026", "Codestral 2",
         "mistral-codestral-2-128k-context-function-calling", "Codestral 2.0"),
        ("mistral-3-small-open-weight-edge-deployment", "Mistral 3 Small",
         "mistral-3-small-22b-open-weight-edge-deployment", "Mistral 3 Small (22B)"),
        ("hugging-face-smolvlm2-2b-vision-language-model", "SmolVLM2",
         "hugging-face-smolvlm2-turbo-edge-vision-language-model", "SmolVLM2 Turbo"),
        ("mistral-codestral-2-1-real-time-code-completion-fim-support", "Codestral 2.1",
         "mistral-codestral-2-5-256k-context-agent-tooling", "Codestral 2.5"),
        ("stability-ai-stable-diffusion-4-native-video-generation", "Stable Diffusion 4",
         "stability-ai-stable-diffusion-4-apache-open-source", "Stable Diffusion 4 (Apache 2.0)"),
        # A name alone is not enough; one word in both slugs is chance.
        ("thunderbolt-mozilla-enterprise-client", "Thunderbolt", "thunderbolt-cable-tester", "Thunderbolt"),
        ("leave-deep-region-report", "Deep Region", "report-deep-region", "Deep Region"),
    ],
)  # fmt: skip
def test_near_collisions_stay_apart(slug: str, name: str, other_slug: str, other_name: str) -> None:
    assert _groups(_listing(slug, name), _listing(other_slug, other_name)) == set()


def test_another_category_or_host_speaks_against_it() -> None:
    first, second = CURSOR[:2]
    assert _groups(first, _listing(second.tool_id, second.name, category="Music")) == set()
    assert _groups(first, _listing(second.tool_id, second.name, host="other.example")) == set()


def test_a_suggestion_has_its_score_and_reason() -> None:
    row = next(row for row in make_product_rows(VERCEL)[0] if row.tool_id == VERCEL[0].tool_id)
    assert row.name == "v0 3.0"
    assert 0.9 <= row.confidence <= 1
    assert row.reason.startswith("the same name, once with its maker, and ")
    assert row.reason.endswith(f"as {VERCEL[1].slug}")
