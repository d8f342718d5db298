"""In which line of a TOML file a key stands: the parsers of Python forget that. Pure."""

import re
from collections.abc import Sequence

_TABLE = re.compile(r"\s*\[\[?\s*([\w.-]+)\s*\]\]?")
_KEY = re.compile(r"""\s*["']?([\w-]+)["']?\s*=""")


def line_of(text: str, place: Sequence[int | str]) -> int | None:
    """The line, from 1, of a key given as pydantic does: `("site", 0, "delay_s")`.

    Of a missing key the line of its table, `[[site]]`; None where there is none either. For tables one level deep.
    """
    table, number, key = _parts(place)
    seen: dict[str, int] = {}
    inside, found = ("", 0), None
    for at, line in enumerate(text.splitlines(), start=1):
        if (match := _TABLE.match(line)) is not None:
            seen[match[1]] = seen.get(match[1], -1) + 1
            inside = (match[1], seen[match[1]])
            if inside == (table, number):
                found = at
        elif inside == (table, number) and (match := _KEY.match(line)) is not None and match[1] == key:
            return at
    return found


def _parts(place: Sequence[int | str]) -> tuple[str, int, str]:
    match list(place):
        case [str(table), int(number), str(key), *_]:
            return table, number, key
        case [str(table), int(number)]:
            return table, number, ""
        case [str(key), *_]:
            return "", 0, key
    return "", 0, ""
