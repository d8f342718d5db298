"""Forms of text for comparisons, and parsers that cache. Published text stays as it is."""

import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

_LOWER = bytes(byte + 32 if 65 <= byte <= 90 else byte for byte in range(256))
_NOISE = bytes(byte for byte in range(128) if not chr(byte).isalnum())
_NOT_ALNUM = re.compile(r"[\W_]+")

_TYPOGRAPHY = "—–’‘“”…\u00a0·"
"""Characters of published English outside ASCII. They do not count, and without them most takes are ASCII."""


def match_key(text: str) -> str:
    """Letters and digits alone, NFKC, lower case: white space, quotes, dashes and Unicode form make no difference.

    Idempotent. ASCII takes the fast path; NFKC and a regular expression serve only what is not ASCII.
    """
    plain = text
    if not plain.isascii():
        for sign in _TYPOGRAPHY:
            plain = plain.replace(sign, " ")
    if plain.isascii():
        return plain.encode("ascii").translate(_LOWER, _NOISE).decode("ascii")
    # Dropping what stood between two characters can let them compose (Hangul jamo do): fold until nothing moves.
    while (folded := _NOT_ALNUM.sub("", _folded(text))) != text:
        text = folded
    return folded


def take_key(text: str) -> str:
    """The match key of a take; for a take of punctuation alone, its folded text."""
    return match_key(text) or fold_name(text)


def words(text: str) -> list[str]:
    """The words of a text in the match key's alphabet, in order."""
    return _NOT_ALNUM.sub(" ", text.lower() if text.isascii() else _folded(text)).split()


def fold_name(text: str) -> str:
    """A name's form for comparing: NFKC, lower case, single spaces. Punctuation stays: `Codestral 2` is not `2.0`."""
    return " ".join(_folded(text).split())


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


TEXTS_MAX = 16_384
"""The most strings that a parser caches, those that were read last."""

REMEMBERED_LENGTH = 200
"""The most characters of a cached string: a hostile page cannot fill the memory."""

Raw = TypeVar("Raw", bound=str | None)
Parsed = TypeVar("Parsed")
Words = ParamSpec("Words")


def remembered(
    parse: Callable[Concatenate[Raw, Words], Parsed],
) -> Callable[Concatenate[Raw, Words], Parsed]:
    """A pure parser that parses a string once for each set of its other arguments.

    An error is raised again each time.
    """
    known = cast("Callable[Concatenate[Raw, Words], Parsed]", lru_cache(maxsize=TEXTS_MAX)(parse))

    @wraps(parse)
    def recall(raw: Raw, /, *words: Words.args, **options: Words.kwargs) -> Parsed:
        is_short = raw is None or len(raw) <= REMEMBERED_LENGTH
        return (known if is_short else parse)(raw, *words, **options)

    return recall


def declared(module: str, name: str) -> Mapping[str, Any]:
    """A list of words in a TOML file beside a module."""
    return tomllib.loads(Path(module).with_name(name).read_text(encoding="utf-8"))
