"""Forms of text for comparisons. Published text stays as it is."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

_LOWER = bytes(byte + 32 if 65 <= byte <= 90 else byte for byte in range(256))
_NOISE = bytes(byte for byte in range(128) if not chr(byte).isalnum())
_NOT_ALNUM = re.compile(r"[\W_]+")

STRUCK = "These words were taken out of this page for ever."
"""What a stored page says in place of words that `verdicts forget` took out: it still has all parts, and no take."""

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
    while (folded := _NOT_ALNUM.sub("", _fold(text))) != text:
        text = folded
    return folded


def take_key(text: str) -> str:
    """The match key of a take; for a take of punctuation alone, its folded text."""
    return match_key(text) or fold_name(text)


def split_words(text: str) -> list[str]:
    """The words of a text in the match key's alphabet, in order."""
    return _NOT_ALNUM.sub(" ", text.lower() if text.isascii() else _fold(text)).split()


def fold_name(text: str) -> str:
    """A name's form for comparing: NFKC, lower case, single spaces. Punctuation stays: `Codestral 2` is not `2.0`."""
    return " ".join(_fold(text).split())


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


remembered = lru_cache(maxsize=16_384)
"""Caches a pure parser of names: a name is on many pages."""


def load_words(module: str, name: str) -> Mapping[str, Any]:
    """A list of words in a TOML file beside a module."""
    return tomllib.loads(Path(module).with_name(name).read_text(encoding="utf-8"))
