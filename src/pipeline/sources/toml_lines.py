"""The line of a TOML file that a key is on, which Python's parsers do not keep. Pure."""

import re
from collections.abc import Sequence

_TABLE = re.compile(r"\s*\[\[?\s*([\w.-]+)\s*\]\]?")
_KEY = re.compile(r"""\s*["']?([\w-]+)["']?\s*=""")


def line_of(text: str, place: Sequence[int | str]) -> int | None:
    """The line, from 1, of a key given as pydantic does: `("site", 0, "delay_s")`, `("care", "min_free_gb")`.

    For a missing key, the line of its table, `[[site]]`; None where there is none either. For tables one level deep.
    """
    table, number, key = _parts(place)
    # A key may be written as a table: `[[sites]]`, `[care.keep_published]`.
    as_table = (f"{table}.{key}" if table else key, 0)
    counts: dict[str, int] = {}
    current_table, table_line = ("", 0), None
    for line_number, line in enumerate(text.splitlines(), start=1):
        if (match := _TABLE.match(line)) is not None:
            counts[match[1]] = counts.get(match[1], -1) + 1
            current_table = (match[1], counts[match[1]])
            if current_table in {(table, number), as_table}:
                table_line = line_number
        elif current_table == (table, number) and (match := _KEY.match(line)) is not None and match[1] == key:
            return line_number
    return table_line


def _parts(place: Sequence[int | str]) -> tuple[str, int, str]:
    match list(place):
        case [str(table), int(number), str(key), *_]:
            return table, number, key
        case [str(table), int(number)]:
            return table, number, ""
        case [str(table), str(key), *_]:
            return table, 0, key
        case [str(key), *_]:
            return "", 0, key
    return "", 0, ""
