"""Whose a tool is and which group its category has: what names, slugs and categories say."""

import pytest

from builders.normalize_pages import normalize_all, observe_page, rows, tool
from verdicts.normalize.parse import names
from verdicts.normalize.parse.match_keys import fold_name, load_words
from verdicts.normalize.parse.names import GROUPS, VENDORS, find_category_group, find_vendor


@pytest.mark.parametrize(
    ("name", "slug", "vendor"),
    [
        ("Google Scion", None, ("Google", "name: Google")),
        ("Gemini 3.1 Flash TTS", "gemini-3-1-flash-tts", ("Google", "name: Gemini")),
        ("Code Llama 4", "meta-code-llama-4", ("Meta", "name: Code Llama")),
        ("Qwen3.6-27B", "qwen36-27b", ("Alibaba", "name: Qwen")),
        ("SmolLM3", None, ("Hugging Face", "name: SmolLM")),
        ("Assistant", "microsoft-assistant", ("Microsoft", "slug: Microsoft")),
        ("CLAUDE CODE", None, ("Anthropic", "name: Claude")),
        # A rival, an integration, a longer word: none is made by the vendor.
        ("Claw Code", "claude-code-alternative", None),
        ("Sheets for Google", "sheets-google", None),
        ("Llamafile", "llamafile", None),
        ("", "", None),
    ],
)
def test_the_vendor_is_what_name_or_slug_begin_with(
    name: str, slug: str | None, vendor: tuple[str, str] | None
) -> None:
    assert find_vendor(name, slug) == vendor


def test_no_two_vendors_and_no_two_groups_claim_a_word() -> None:
    words = [
        (fold_name(word), vendor)
        for vendor, kinds in VENDORS.items()
        for kind in ("companies", "products")
        for word in kinds[kind]
    ]
    assert len(dict(words)) == len(set(words))
    groups = load_words(names.__file__, "category_groups.toml")["groups"]
    assert len(GROUPS) == sum(1 + len(synonyms) for synonyms in groups.values())


@pytest.mark.parametrize(
    ("category", "group"),
    [
        ("Audio & Voice", "Audio & Voice"),
        ("speech and audio", "Audio & Voice"),
        ("AUDIO/VOICE", "Audio & Voice"),
        ("Models", "AI Models"),
        ("AI/ML Models", "AI Models"),
        ("Open-Source Models", "Open Source Models"),
        ("Developer  tools", "Developer Tools"),
        # One that nobody declared is folded into a group of its own, in the usual spelling of its words.
        ("Robots & Toys", "Robots & Toys"),
        ("ROBOTS, TOYS", "Robots & Toys"),
        ("ux & ui design", "UI Design & UX"),
        ("LLM/devops", "DevOps & LLM"),
        # Words that only contain a joint are not cut.
        ("Android", "Android"),
        ("—", "—"),
        ("日本語", "日本語"),
    ],
)
def test_any_category_has_a_group_that_it_shares_with_synonyms_and_spellings(category: str, group: str) -> None:
    assert find_category_group(category) == group


def test_a_tool_has_its_published_category_and_the_group() -> None:
    bare = observe_page(tool("gamma", category=None), tool("delta", category="Audio & Speech"))
    corpus = normalize_all(observe_page(tool("alpha", category="Voice & Audio"), tool("beta", category="Models")), bare)
    assert {row.slug: (row.category, row.category_group) for row in rows(corpus, "tools")} == {
        "alpha": ("Voice & Audio", "Audio & Voice"),
        "beta": ("Models", "AI Models"),
        "gamma": (None, None),
        "delta": ("Audio & Speech", "Audio & Voice"),
    }
