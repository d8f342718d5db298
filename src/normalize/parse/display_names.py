"""The parts of a display name: the product's words, a subtitle, numbers, release and vendor."""

import re
from typing import NamedTuple

from verdicts.normalize.parse.remembered import remembered
from verdicts.normalize.parse.text import fold_name

_WORD = re.compile(r"\w+(?:\.\w+)*")
_RELEASE = re.compile(r"v\d+(?:\.\d+)+")
"""`v0.50` is a release; `v0` is a product, `2.0` and `V4` are other models."""

_SUBTITLE = re.compile(r"\s[–—-]\s|:\s")
_BY = re.compile(r"\sby\s[^()]+$")


class NameParts(NamedTuple):
    """`core` are the words that name the product, in order, singular; `subtitle` those after a dash or colon.

    `numbers` are all words with a digit but releases: `Codestral 2` and `2.0` differ in them, and so do `22B` and none.
    """

    core: tuple[str, ...]
    subtitle: tuple[str, ...]
    numbers: frozenset[str]
    is_release: bool
    is_plural: bool
    has_vendor: bool

    @property
    def words(self) -> frozenset[str]:
        return frozenset(self.core) | frozenset(self.subtitle)


@remembered
def name_parts(name: str) -> NameParts:
    """`Cursor v0.50 – Background Agents` is cursor, a release, with the subtitle background agent."""
    folded = fold_name(name)
    without_vendor = _BY.sub("", folded)
    main, *rest = _SUBTITLE.split(without_vendor, maxsplit=1)
    core, subtitle = _WORD.findall(main), _WORD.findall(rest[0]) if rest else []
    every = (*core, *subtitle)
    kept = [word for word in core if not _RELEASE.fullmatch(word)]
    return NameParts(
        core=tuple(map(_singular, kept)),
        subtitle=tuple(_singular(word) for word in subtitle if not _RELEASE.fullmatch(word)),
        numbers=frozenset(word for word in every if any(map(str.isdigit, word)) and not _RELEASE.fullmatch(word)),
        is_release=any(map(_RELEASE.fullmatch, every)),
        is_plural=any(_singular(word) != word for word in kept),
        has_vendor=without_vendor != folded,
    )


def _singular(word: str) -> str:
    is_plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if is_plural else word
