"""The maker, version and group of a tool, from its name, slug, link and category. Sites do not state the maker."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias
from urllib.parse import parse_qsl

from verdicts.fetch.model.addresses import split_address
from verdicts.normalize.parse.match_keys import fold_name, load_words, match_key, remembered


class Vendor(NamedTuple):
    """A suggested vendor, and the evidence: `name: Gemini`, `slug: microsoft`."""

    name: str
    evidence: str


_SIGNS = re.compile(r"[^\w]+")


@lru_cache(maxsize=4096)
def find_vendor(name: str, slug: str | None) -> Vendor | None:
    """The declared vendor with which a tool's name begins, else its slug. None if neither does.

    Whole words count, apart from a number after them, and the longest name wins: `Code Llama 4` is Meta's,
    `Qwen3.6-27B` Alibaba's, `Llamafile` nobody's. Depends only on name and slug.
    """
    for source, text in (("name", name), ("slug", slug or "")):
        text_words = _split_words(fold_name(text))
        for mark in _MARKS_OF_FIRST_WORD.get(_strip_number(text_words[0]), ()) if text_words else ():
            if (mark.is_company or source == "name") and _has_beginning(text_words, mark.words):
                return Vendor(mark.vendor, f"{source}: {mark.word}")
    return None


def split_company(name: str) -> tuple[str, str | None]:
    """A name without the declared company in it, folded, and that vendor.

    `OpenAI GPT-5`, `Claude Code by Anthropic` and `Claude Code (Anthropic)` name their company. A name that is only the
    company's, such as `Perplexity`, stays as it is and names no vendor.
    """
    folded = fold_name(name)
    for head, tail in (_cut(folded, " by ", ""), _cut(folded, " (", ")")):
        if head and (vendor := _COMPANIES.get(_split_words(tail))) is not None:
            return head, vendor
    name_words = _split_words(folded)
    for mark in _MARKS_OF_FIRST_WORD.get(_strip_number(name_words[0]), ()) if name_words else ():
        if mark.is_company and name_words[: len(mark.words)] == mark.words and len(name_words) > len(mark.words):
            return _SIGNS.split(folded.lstrip(), maxsplit=len(mark.words))[-1], mark.vendor
    return folded, None


def _cut(text: str, sign: str, end: str) -> tuple[str, str]:
    """Before and after the last `sign` of a text that ends so; both empty where it does not."""
    if not text.endswith(end):
        return "", ""
    head, _, tail = text.removesuffix(end).rpartition(sign)
    return head.strip(), tail


def _has_beginning(text_words: tuple[str, ...], words: tuple[str, ...]) -> bool:
    beginning = text_words[: len(words)]
    return (
        beginning[:-1] == words[:-1]
        and beginning[-1:] != ()
        and _strip_number(beginning[-1]) == _strip_number(words[-1])
    )


def _strip_number(word: str) -> str:
    return word.rstrip("0123456789")


def _split_words(folded: str) -> tuple[str, ...]:
    return tuple(filter(None, _SIGNS.split(folded)))


class _Mark(NamedTuple):
    """A name of a vendor in the form for comparisons and as declared, its vendor, and whether it is the company's."""

    words: tuple[str, ...]
    word: str
    vendor: str
    is_company: bool


VENDORS: Mapping[str, Mapping[str, list[str]]] = load_words(__file__, "vendors.toml")["vendors"]
"""The declaration of each vendor, by name: `companies`, `products`, `sites`. No two share a word."""

_MARKS = sorted(
    (
        _Mark(_split_words(fold_name(word)), word, vendor, kind == "companies")
        for vendor, kinds in VENDORS.items()
        for kind in ("companies", "products")
        for word in kinds[kind]
    ),
    key=lambda mark: (-len(mark.words), mark.words),
)
"""Those of most words first."""

_COMPANIES: Mapping[tuple[str, ...], str] = {mark.words: mark.vendor for mark in _MARKS if mark.is_company}

_MARKS_OF_FIRST_WORD: Mapping[str, tuple[_Mark, ...]] = {
    first: tuple(mark for mark in _MARKS if _strip_number(mark.words[0]) == first)
    for first in {_strip_number(mark.words[0]) for mark in _MARKS}
}

REDIRECT_FOLDERS = frozenset(
    {"aff", "click", "go", "goto", "link", "out", "outbound", "recommends", "redirect", "visit"}
)
"""`/go/cursor`, `/out/1234`: addresses that redirect to an unknown site."""

AFFILIATE_PARAMETERS = frozenset({"aff", "affiliate", "fpr", "partner", "ref", "referral", "via"})
"""`?ref=toolify`: a site that earns a share chose the link."""


@lru_cache(maxsize=4096)
def find_link_vendor(url: str) -> str | None:
    """The vendor that owns the site of a link. None for any other site.

    Also None if it is not a web address, if it redirects (`/go/x`), or if it pays someone (`?ref=x`).
    """
    address = split_address(url)
    if address is None:
        return None
    folders = [folder.lower() for folder in address.path.split("/") if folder]
    if _is_redirect(folders, dict(parse_qsl(address.query))):
        return None
    labels = address.host.split(".")
    for first in range(len(labels) - 1):
        for of_site, vendor in _SITES.get(".".join(labels[first:]), ()):
            if folders[: len(of_site)] == of_site:
                return vendor
    return None


def _is_redirect(folders: list[str], parameters: Mapping[str, str]) -> bool:
    if folders and folders[0] in REDIRECT_FOLDERS:
        return True
    is_paid = not AFFILIATE_PARAMETERS.isdisjoint(name.lower() for name in parameters)
    return is_paid or any(value.startswith(("http://", "https://")) for value in parameters.values())


_SITES: dict[str, list[tuple[list[str], str]]] = {}
"""Host to its folders, and the vendor of each."""
for _vendor, _declared in VENDORS.items():
    for _site in _declared["sites"]:
        _host, *_folders = _site.split("/")
        _SITES.setdefault(_host, []).append((_folders, _vendor))

_VERSION = re.compile(r"\d++(?>(?:\.\d++)*)[a-z]*+")
"""`4o` of `GPT-4o`, `3.6` and `27b` of `Qwen3.6-27B`."""

BLOCK_LENGTH = 4
"""Only names with the same first letters, so many, are compared: then a tool is compared with some dozens, not with
all. A name with other first letters is not found."""


class ComparedName(NamedTuple):
    """`key` are the letters and digits of a name without its maker, `stem` those without its `versions`, in order.

    `GPT-4` and `GPT-4o` have one stem and different versions; so have `2` and `2.0`. `maker` is the declared vendor in
    the name.
    """

    key: str
    stem: str
    versions: tuple[str, ...]
    maker: str | None

    @property
    def block(self) -> str | None:
        """Equal for names that are compared; None for a name without a letter or digit."""
        return (self.stem or self.key)[:BLOCK_LENGTH] or None


@remembered
def parse_name(name: str) -> ComparedName:
    """`OpenAI GPT-4o` is `gpt` in the version `4o`, made by OpenAI."""
    rest, maker = split_company(name)
    stem = match_key(_VERSION.sub(" ", rest))
    return ComparedName(match_key(rest), stem, tuple(_VERSION.findall(rest)), maker)


def make_name_key(name: str) -> str:
    """The name to group mentions by: `gpt4o` for `GPT-4o` and `gpt 4o`. A name of signs alone is its own key."""
    return match_key(name) or name


Parts: TypeAlias = tuple[str, ...]
"""A category in the form for comparisons: its parts around `&`, `/` or `and`, in lower case, each once, sorted."""

_JOINTS = re.compile(r"\s?[&/,;|·]\s?|\s(?:and|\+)\s")
_HYPHENS = re.compile(r"[-\u2010-\u2013_\s]+")


def find_category_group(category: str | None) -> str | None:
    """The group of a published category: the declared one, else its own parts. None for no category.

    Depends only on the category. `audio and voice` and `Audio & Speech` are Audio & Voice; `Robots/toys` is Robots &
    Toys. A category without letters is its own group.
    """
    return None if category is None else _group(category)


@lru_cache(maxsize=4096)
def _group(category: str) -> str:
    parts = split_category(category)
    if not parts:
        return category
    return GROUPS.get(parts) or " & ".join(" ".join(map(_spell, part.split())) for part in parts)


def split_category(category: str) -> Parts:
    """The parts of a category: equal for spellings that differ only in case, order and signs."""
    parts = (_HYPHENS.sub(" ", part).strip() for part in _JOINTS.split(fold_name(category)))
    return tuple(sorted({part for part in parts if part}))


def _spell(word: str) -> str:
    return _SPELLINGS.get(word) or word[0].upper() + word[1:]


_CATEGORIES = load_words(__file__, "category_groups.toml")
_SPELLINGS = {word.casefold(): word for word in _CATEGORIES["spellings"]}
GROUPS: Mapping[Parts, str] = {
    split_category(category): name for name, synonyms in _CATEGORIES["groups"].items() for category in (name, *synonyms)
}
"""Declared categories to their group. No category is in two groups."""
