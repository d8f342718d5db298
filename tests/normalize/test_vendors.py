"""Who seems to make a tool: what its name or slug begins with, and nothing else."""

import pytest

from verdicts.normalize.parse import names
from verdicts.normalize.parse.names import GROUPS, VENDORS, vendor_of
from verdicts.normalize.parse.text import declared, fold_name


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
        ("Metaphor", None, None),
        ("", "", None),
    ],
)
def test_the_vendor_is_what_name_or_slug_begin_with(
    name: str, slug: str | None, vendor: tuple[str, str] | None
) -> None:
    assert vendor_of(name, slug) == vendor


def test_no_two_vendors_and_no_two_groups_claim_a_word() -> None:
    words = [
        (fold_name(word), vendor)
        for vendor, kinds in VENDORS.items()
        for kind in ("companies", "products")
        for word in kinds[kind]
    ]
    assert len(dict(words)) == len(set(words))
    groups = declared(names.__file__, "category_groups.toml")["groups"]
    assert len(GROUPS) == sum(1 + len(synonyms) for synonyms in groups.values())
