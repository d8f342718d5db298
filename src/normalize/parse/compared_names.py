"""Names as they are compared across sites: what is called, in which version, and who is said to make it."""

import re
from typing import NamedTuple

from verdicts.normalize.parse.remembered import remembered
from verdicts.normalize.parse.text import match_key
from verdicts.normalize.parse.vendors import named_company

_VERSION = re.compile(r"\d++(?:\.\d++)*+[a-z]*+")
"""`4o` of `GPT-4o`, `3.6` and `27b` of `Qwen3.6-27B`."""

BLOCK_LENGTH = 4
"""Letters that names have in common at the beginning, or they are not compared.

A name that is spelled otherwise there is not found; a tool is compared with dozens, and not with all of a corpus."""


class ComparedName(NamedTuple):
    """`key` are the letters and digits of a name without its maker, `stem` those without its `versions`, in order.

    `GPT-4` and `GPT-4o` have one stem and other versions; `2` and `2.0` are other versions, too. `maker` is the
    declared vendor that the name says makes it.
    """

    key: str
    stem: str
    versions: tuple[str, ...]
    maker: str | None

    @property
    def block(self) -> str | None:
        """The same for names that are compared; None for a name without a letter or digit."""
        return (self.stem or self.key)[:BLOCK_LENGTH] or None


@remembered
def compared_name(name: str) -> ComparedName:
    """`OpenAI GPT-4o` is `gpt` in the version `4o`, made by OpenAI."""
    rest, maker = named_company(name)
    stem = match_key(_VERSION.sub(" ", rest))
    return ComparedName(match_key(rest), stem, tuple(_VERSION.findall(rest)), maker)
