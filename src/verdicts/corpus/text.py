r"""Untrusted text: which characters can be stored, and safe parsers for TOML and JSON. Pure.

No database stores NUL or half a surrogate pair. Half pairs come from JSON that was cut (`"\ud83d"`), and from file
names and headers that are not UTF-8: Python keeps those bytes as the surrogates DC80 to DCFF.

Python's own parsers raise a RecursionError for brackets that are nested a thousand deep, accept NaN and numbers of any
length, and need minutes for a TOML key with 100,000 parts.
"""

import json
import math
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable
from typing import Any

_NO_TEXT = re.compile("[\x00\ud800-\udfff]")
_BLANK = re.compile("[\t-\r\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")

FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
"""ASCII for the full-width forms, for `str.translate`: `８８／１００` is `88/100`. Raised digits, as in `²`, stay."""


def is_text(text: str) -> bool:
    """Whether a database can store it."""
    return _NO_TEXT.search(text) is None


def remove_unstorable(text: str) -> str:
    """A page's words without the characters that no database stores."""
    return _NO_TEXT.sub("", text)


def is_visible(text: str) -> bool:
    """Whether a reader sees anything: blanks, controls, marks alone and unassigned characters are invisible."""
    return any(unicodedata.category(letter)[0] not in "CMZ" for letter in text)


def escape_unstorable(text: str) -> str:
    r"""A file name or an address for a message: characters that no database stores are written as `caf\xe9.txt`."""
    return _NO_TEXT.sub(_escape_letter, text)


def in_one_line(text: str) -> str:
    """A host's text in one line: tabs and line ends become blanks; other controls and half pairs become U+FFFD.

    ESC would start a command to the terminal.
    """
    return text if text.isprintable() else _CONTROL.sub("\ufffd", _BLANK.sub(" ", text))


def _escape_letter(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code & 0xFF:02x}" if code == 0 or 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"


SIZE_LIMIT = 10_000_000
"""Most bytes of a JSON document."""

TOML_LIMIT = 2_000_000
"""Most bytes of a TOML document: a config of 10,000 sites. `tomllib` reads half a megabyte a second."""

DEPTH_LIMIT = 50
"""Most levels of tables and lists; ours have five."""

_INTEGER_BITS = 64
"""SQLite and DuckDB store no larger integers."""

_DOTS_LIMIT = 200
"""Most dots of a TOML key: the time that `tomllib` needs grows with their square."""

_BETWEEN_KEYS = re.compile(r"\n[ \t]*#.*|[\n,={}\[\]]")


class BrokenDocument(ValueError):
    """A document cannot be read. The message names the document and the reason."""


def parse_toml(content: str | bytes, place: object) -> dict[str, Any]:
    """The tables of a document. `place` names it in messages. Raises `BrokenDocument`."""
    found: dict[str, Any] = _parse_document(content, place, TOML_LIMIT, "TOML", _load_toml)
    return found


def parse_json(content: str | bytes, place: object) -> Any:  # noqa: ANN401  any JSON value
    """The value of a document. A key may occur once. `place` names it in messages. Raises `BrokenDocument`."""
    return _parse_document(content, place, SIZE_LIMIT, "JSON", _load_json)


def _parse_document(content: str | bytes, place: object, limit: int, form: str, parse: Callable[[str], Any]) -> Any:  # noqa: ANN401
    named = escape_unstorable(str(place))
    if len(content) > limit:
        raise BrokenDocument(f"{named}: it has more than {limit:,} bytes")
    try:
        text = content.decode("utf-8") if isinstance(content, bytes) else content
        value = parse(text.removeprefix("\ufeff"))
    except UnicodeDecodeError:
        raise BrokenDocument(f"{named}: it is not in UTF-8; save it as UTF-8") from None
    except RecursionError:
        raise BrokenDocument(f"{named}: it is nested more than {DEPTH_LIMIT} deep") from None
    except ValueError as error:
        # `Exceeds the limit (4300 digits) for integer string conversion: value has 10000 digits; use ...`
        why = "it holds a number that is too large" if "integer string conversion" in str(error) else str(error)
        raise BrokenDocument(f"{named}: it is not {form}: {escape_unstorable(why)}") from None
    _check(value, named)
    return value


def _load_toml(text: str) -> dict[str, Any]:
    if any(part.count(".") > _DOTS_LIMIT for part in _BETWEEN_KEYS.split(f"\n{text}")):
        raise ValueError(f"one of its keys has more than {_DOTS_LIMIT} dots")
    return tomllib.loads(text)


def _load_json(text: str) -> Any:  # noqa: ANN401
    return json.loads(
        text, object_pairs_hook=_refuse_repetition, parse_constant=_parse_finite, parse_float=_parse_finite
    )


def _parse_finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f"{number[:80]} is not a number that can be stored")
    return value


def _refuse_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        name, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"{name[:80]!r} occurs twice")
    return found


def _check(value: object, named: str) -> None:
    # Level by level: recursion would fail for a value that is nested 100,000 deep.
    level, depth = [value], 0
    while level:
        if depth > DEPTH_LIMIT:
            raise BrokenDocument(f"{named}: it is nested more than {DEPTH_LIMIT} deep")
        below: list[object] = []
        for item in level:
            if isinstance(item, dict):
                below += item
                below += item.values()
            elif isinstance(item, list):
                below += item
            elif (why := _find_mistake(item)) is not None:
                raise BrokenDocument(f"{named}: {why}")
        level, depth = below, depth + 1


def _find_mistake(item: object) -> str | None:
    if isinstance(item, str) and not is_text(item):
        return f"{escape_unstorable(item[:80])!r} is not valid text: it has a NUL or half of a character"
    if isinstance(item, int) and item.bit_length() >= _INTEGER_BITS:
        return "it holds a number that is too large"
    return None
