"""Text for matching. The words of a take are kept as published; these forms only decide what is the same."""

import re
import unicodedata

_KEEP_ASCII = {ord(char): char.lower() if char.isalnum() else None for char in map(chr, range(128))}
_NOT_ALNUM = re.compile(r"[\W_]+")


def skeleton(text: str) -> str:
    """Letters and digits alone, NFKC, lower case: white space, quotes, dashes and Unicode form make no difference.

    Idempotent. ASCII takes the fast path; NFKC and a regular expression serve only what is not ASCII.
    """
    if text.isascii():
        return text.translate(_KEEP_ASCII)
    return _NOT_ALNUM.sub("", unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()))


def fold_name(text: str) -> str:
    """A name's form for comparing: NFKC, lower case, single spaces. Punctuation stays: `Codestral 2` is not `2.0`."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
