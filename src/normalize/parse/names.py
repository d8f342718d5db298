"""What a tool's name, slug, link and category say: its maker, its version, its group.

Sites do not say who makes a tool.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias
from urllib.parse import parse_qsl

from verdicts.fetch.model.addresses import web_address
from verdicts.normalize.parse.text import declared, fold_name, match_key, remembered


class Vendor(NamedTuple):
    """A suggestion, and what says so: `name: Gemini`, `slug: microsoft`."""

    name: str
    evidence: str


_SIGNS = re.compile(r"[^\w]+")


@lru_cache(maxsize=4096)
def vendor_of(name: str, slug: str | None) -> Vendor | None:
    """The declared vendor that a tool's name begins with, else its slug. None where neither does.

    Whole words count, a number behind them aside, the longest first: `Code Llama 4` is Meta's, `Qwen3.6-27B` Alibaba's,
    `Llamafile` nobody's. Depends on the two alone.
    """
    for place, text in (("name", name), ("slug", slug or "")):
        said = _words(fold_name(text))
        for mark in _MARKS_OF_FIRST_WORD.get(_unnumbered(said[0]), ()) if said else ():
            if (mark.is_company or place == "name") and _begins(said, mark.words):
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
    said = _words(folded)
    for mark in _MARKS_OF_FIRST_WORD.get(_unnumbered(said[0]), ()) if said else ():
        if mark.is_company and said[: len(mark.words)] == mark.words and len(said) > len(mark.words):
            return _SIGNS.split(folded.lstrip(), maxsplit=len(mark.words))[-1], mark.vendor
    return folded, None


def _cut(text: str, sign: str, end: str) -> tuple[str, str]:
    """Before and after the last `sign` of a text that ends so; both empty where it does not."""
    if not text.endswith(end):
        return "", ""
    head, _, tail = text.removesuffix(end).rpartition(sign)
    return head.strip(), tail


def _begins(said: tuple[str, ...], words: tuple[str, ...]) -> bool:
    found = said[: len(words)]
    return found[:-1] == words[:-1] and found[-1:] != () and _unnumbered(found[-1]) == _unnumbered(words[-1])


def _unnumbered(word: str) -> str:
    return word.rstrip("0123456789")


def _words(folded: str) -> tuple[str, ...]:
    return tuple(filter(None, _SIGNS.split(folded)))


class _Mark(NamedTuple):
    """A word of a vendor as it is compared, as it is declared, whose it is, and whether it names the company."""

    words: tuple[str, ...]
    word: str
    vendor: str
    is_company: bool


VENDORS: Mapping[str, Mapping[str, list[str]]] = declared(__file__, "vendors.toml")["vendors"]
"""By name, what is declared of each: `companies`, `products`, `sites`. No two have a word in common."""

_MARKS = sorted(
    (
        _Mark(_words(fold_name(word)), word, vendor, kind == "companies")
        for vendor, kinds in VENDORS.items()
        for kind in ("companies", "products")
        for word in kinds[kind]
    ),
    key=lambda mark: (-len(mark.words), mark.words),
)
"""Those of most words first."""

_COMPANIES: Mapping[tuple[str, ...], str] = {mark.words: mark.vendor for mark in _MARKS if mark.is_company}

_MARKS_OF_FIRST_WORD: Mapping[str, tuple[_Mark, ...]] = {
    first: tuple(mark for mark in _MARKS if _unnumbered(mark.words[0]) == first)
    for first in {_unnumbered(mark.words[0]) for mark in _MARKS}
}

REDIRECT_FOLDERS = frozenset(
    {"aff", "click", "go", "goto", "link", "out", "outbound", "recommends", "redirect", "visit"}
)
"""`/go/cursor`, `/out/1234`: addresses that lead on, wherever they want."""

AFFILIATE_PARAMETERS = frozenset({"aff", "affiliate", "fpr", "partner", "ref", "referral", "via"})
"""`?ref=toolify`: whoever gets a share of what is bought chose the link."""


@lru_cache(maxsize=4096)
def vendor_of_link(url: str) -> str | None:
    """The vendor on whose own site a link ends.

    None where that is nobody's declared site, the address is no web address, or it leads on (`/go/x`) or pays someone
    (`?ref=x`).
    """
    address = web_address(url)
    if address is None:
        return None
    folders = [folder.lower() for folder in address.path.split("/") if folder]
    if _leads_on(folders, dict(parse_qsl(address.query))):
        return None
    labels = address.host.split(".")
    for first in range(len(labels) - 1):
        for of_site, vendor in _SITES.get(".".join(labels[first:]), ()):
            if folders[: len(of_site)] == of_site:
                return vendor
    return None


def _leads_on(folders: list[str], parameters: Mapping[str, str]) -> bool:
    if folders and folders[0] in REDIRECT_FOLDERS:
        return True
    is_paid = not AFFILIATE_PARAMETERS.isdisjoint(name.lower() for name in parameters)
    return is_paid or any(value.startswith(("http://", "https://")) for value in parameters.values())


_SITES: dict[str, list[tuple[list[str], str]]] = {}
"""Host to the folders of it, and whose each is."""
for _vendor, _declared in VENDORS.items():
    for _site in _declared["sites"]:
        _host, *_folders = _site.split("/")
        _SITES.setdefault(_host, []).append((_folders, _vendor))

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


Parts: TypeAlias = tuple[str, ...]
"""A category as it is compared: what `&`, `/` or `and` join, in lower case, each once, in the order of the alphabet."""

_JOINTS = re.compile(r"\s?[&/,;|·]\s?|\s(?:and|\+)\s")
_HYPHENS = re.compile(r"[-\u2010-\u2013_\s]+")


def category_group(category: str | None) -> str | None:
    """The group of a published category: the declared one, else its own parts. None for no category.

    Depends on the category alone. `audio and voice` and `Audio & Speech` are Audio & Voice; `Robots/toys` is
    Robots & Toys. A category of signs alone is its own group.
    """
    return None if category is None else _group(category)


@lru_cache(maxsize=4096)
def _group(category: str) -> str:
    parts = category_parts(category)
    if not parts:
        return category
    return GROUPS.get(parts) or " & ".join(" ".join(map(_spelled, part.split())) for part in parts)


def category_parts(category: str) -> Parts:
    """What a category joins: equal for spellings that differ in case, order and signs alone."""
    found = (_HYPHENS.sub(" ", part).strip() for part in _JOINTS.split(fold_name(category)))
    return tuple(sorted({part for part in found if part}))


def _spelled(word: str) -> str:
    return _SPELLINGS.get(word) or word[0].upper() + word[1:]


_CATEGORIES = declared(__file__, "category_groups.toml")
_SPELLINGS = {word.casefold(): word for word in _CATEGORIES["spellings"]}
GROUPS: Mapping[Parts, str] = {
    category_parts(category): name for name, synonyms in _CATEGORIES["groups"].items() for category in (name, *synonyms)
}
"""Declared categories to the group they are of. No two groups claim one."""
