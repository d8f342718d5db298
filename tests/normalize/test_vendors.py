"""Who seems to make a tool: what its name or slug begins with, and nothing else."""

import pytest

from verdicts.normalize.parse.names import BrokenVendors, marks_of, vendor_of


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


def test_a_word_that_two_vendors_claim_is_refused() -> None:
    kinds = {"companies": ["Nova"], "products": []}
    with pytest.raises(BrokenVendors, match=r"Nova is claimed by .* and by"):
        marks_of({"One": kinds, "Other": kinds})
