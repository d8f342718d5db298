"""Who seems to make a tool, by its own name and slug: sites do not say."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from verdicts.normalize.parse.text import fold_name


class Vendor(NamedTuple):
    """A suggestion, and what says so: `name: Gemini`, `slug: microsoft`."""

    name: str
    evidence: str


class BrokenVendors(ValueError):
    """Two vendors claim one word. Names both."""


_SIGNS = re.compile(r"[^\w]+")


@lru_cache(maxsize=4096)
def vendor_of(name: str, slug: str | None) -> Vendor | None:
    """The declared vendor that a tool's name begins with, else its slug. None where neither does.

    Whole words count, a number behind them aside, the longest first: `Code Llama 4` is Meta's, `Qwen3.6-27B` Alibaba's,
    `Llamafile` nobody's. Depends on the two alone.
    """
    for place, text in (("name", name), ("slug", slug or "")):
        told = _words(fold_name(text))
        for mark in _MARKS_OF_FIRST_WORD.get(_unnumbered(told[0]), ()) if told else ():
            if (mark.is_company or place == "name") and _begins(told, mark.words):
                return Vendor(mark.vendor, f"{place}: {mark.word}")
    return None


def named_company(name: str) -> tuple[str, str | None]:
    """A name without the declared company that it says makes it, folded, and that vendor.

    `OpenAI GPT-5`, `Claude Code by Anthropic` and `Claude Code (Anthropic)` say so. What is the company's name and
    nothing else, as `Perplexity` is, stays and says nothing.
    """
    folded = fold_name(name)
    for head, tail in (_cut(folded, " by ", ""), _cut(folded, " (", ")")):
        if head and (vendor := _COMPANIES.get(_words(tail))) is not None:
            return head, vendor
    told = _words(folded)
    for mark in _MARKS_OF_FIRST_WORD.get(_unnumbered(told[0]), ()) if told else ():
        if mark.is_company and told[: len(mark.words)] == mark.words and len(told) > len(mark.words):
            return _SIGNS.split(folded.lstrip(), maxsplit=len(mark.words))[-1], mark.vendor
    return folded, None


def _cut(text: str, sign: str, end: str) -> tuple[str, str]:
    """Before and after the last `sign` of a text that ends so; both empty where it does not."""
    if not text.endswith(end):
        return "", ""
    head, _, tail = text.removesuffix(end).rpartition(sign)
    return head.strip(), tail


def _begins(told: tuple[str, ...], words: tuple[str, ...]) -> bool:
    found = told[: len(words)]
    return found[:-1] == words[:-1] and found[-1:] != () and _unnumbered(found[-1]) == _unnumbered(words[-1])


def _unnumbered(word: str) -> str:
    return word.rstrip("0123456789")


def _words(folded: str) -> tuple[str, ...]:
    return tuple(filter(None, _SIGNS.split(folded)))


class Mark(NamedTuple):
    """A word of a vendor as it is compared, as it is declared, whose it is, and whether it names the company."""

    words: tuple[str, ...]
    word: str
    vendor: str
    is_company: bool


def marks_of(declared: Mapping[str, Mapping[str, list[str]]]) -> tuple[Mark, ...]:
    """All declared words, those of most parts first. Raises `BrokenVendors`."""
    claims: dict[tuple[str, ...], str] = {}
    marks = sorted(_declared_marks(declared), key=lambda mark: (-len(mark.words), mark.words))
    for mark in marks:
        if claims.setdefault(mark.words, mark.vendor) != mark.vendor:
            raise BrokenVendors(f"{mark.word} is claimed by {claims[mark.words]} and by {mark.vendor}")
    return tuple(marks)


def _declared_marks(declared: Mapping[str, Mapping[str, list[str]]]) -> Iterator[Mark]:
    for vendor, kinds in declared.items():
        for kind in ("companies", "products"):
            for word in kinds[kind]:
                yield Mark(_words(fold_name(word)), word, vendor, kind == "companies")


VENDORS: Mapping[str, Mapping[str, list[str]]] = tomllib.loads(
    Path(__file__).with_name("vendors.toml").read_text(encoding="utf-8")
)["vendors"]
"""By name, what is declared of each: `companies`, `products`, `sites`."""

_MARKS = marks_of(VENDORS)

_COMPANIES: Mapping[tuple[str, ...], str] = {mark.words: mark.vendor for mark in _MARKS if mark.is_company}

_MARKS_OF_FIRST_WORD: Mapping[str, tuple[Mark, ...]] = {
    first: tuple(mark for mark in _MARKS if _unnumbered(mark.words[0]) == first)
    for first in {_unnumbered(mark.words[0]) for mark in _MARKS}
}
"""In the order of `_MARKS`."""
