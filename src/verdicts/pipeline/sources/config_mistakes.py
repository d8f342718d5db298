"""Describes mistakes in `verdicts.toml`: file, line, key, and what to write instead. Pure."""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import get_args

from pydantic import BaseModel
from pydantic_core import ErrorDetails

WANTED = {
    "missing": "is missing",
    "string_type": 'must be a text: "..."',
    "tuple_type": 'must be a list: ["..."]',
    "bool_parsing": "must be true or false",
    "bool_type": "must be true or false",
    "int_parsing": "must be a whole number",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_parsing": "must be a number",
    "float_type": "must be a number",
    "string_too_short": "must not be empty",
    "timezone_aware": "the time has no zone; write 2026-11-20T08:00:00Z",
    "too_short": "has too few entries",
    "too_long": "has too many entries",
}
"""Error types whose pydantic messages are about Python. Other types keep their message."""

_TABLE = re.compile(r"\s*\[\[?\s*([\w.-]+)\s*\]\]?")
_KEY = re.compile(r"""\s*["']?([\w-]+)["']?\s*=""")


def describe_mistakes(path: Path, text: str, errors: Sequence[ErrorDetails], config: type[BaseModel]) -> str:
    """All mistakes in one line. `config` is the model of the file, `text` its content."""
    return "; ".join(_describe_mistake(path, text, error, config) for error in _drop_consequences(errors))


def _drop_consequences(errors: Sequence[ErrorDetails]) -> list[ErrorDetails]:
    """Without errors that only follow from others: a wrong site makes the list of sites too short."""
    paths = [error["loc"] for error in errors]
    return [
        error
        for error in errors
        if not any(len(path) > len(error["loc"]) and path[: len(error["loc"])] == error["loc"] for path in paths)
    ]


def _describe_mistake(path: Path, text: str, error: ErrorDetails, config: type[BaseModel]) -> str:
    key = ".".join(map(str, error["loc"])) or "the file"
    line = find_line(text, error["loc"])
    position = path if line is None else f"{path}:{line}"
    return f"{position}: {key}: {_describe_fix(error, config)}"


def _describe_fix(error: ErrorDetails, config: type[BaseModel]) -> str:
    tables = dict(_walk_tables(config, ()))
    names = tuple(part for part in error["loc"] if isinstance(part, str))
    if error["type"] == "extra_forbidden":
        return _find_nearest(names, tables)
    if names in tables and error["type"].endswith("_type"):
        return f"write {_write_heading(names, config)} as the line above its keys"
    return WANTED.get(error["type"]) or error["msg"].removeprefix("Value error, ")


def _find_nearest(names: tuple[str, ...], tables: dict[tuple[str, ...], type[BaseModel]]) -> str:
    """For an unknown key: the likely key, the right table, or all keys."""
    *table, name = names
    keys = list(tables[tuple(table)].model_fields)
    if near := get_close_matches(name, keys, n=1):
        return f"unknown key; did you mean {near[0]!r}?"
    owners = [table_name for table_name, model in tables.items() if name in model.model_fields]
    if owners:
        return f"this key is wrong here; it belongs {_describe_place(owners[0], tables[()])}"
    return f"unknown key; the keys are {', '.join(keys)}"


def _describe_place(table: tuple[str, ...], config: type[BaseModel]) -> str:
    return f"below {_write_heading(table, config)}" if table else "above the first table"


def _write_heading(table: tuple[str, ...], config: type[BaseModel]) -> str:
    """`[[site]]` for a list of tables, or `[care]`."""
    is_list = get_args(config.model_fields[table[0]].annotation) != ()
    return f"[[{'.'.join(table)}]]" if is_list else f"[{'.'.join(table)}]"


def _walk_tables(model: type[BaseModel], names: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], type[BaseModel]]]:
    yield names, model
    for name, field in model.model_fields.items():
        for kind in (field.annotation, *get_args(field.annotation)):
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                yield from _walk_tables(kind, (*names, name))


def find_line(text: str, location: Sequence[int | str]) -> int | None:
    """The line, from 1, of a key in pydantic's form: `("site", 0, "delay_s")`, `("care", "min_free_gb")`.

    For a missing key, the line of its table, or None. Works for tables one level deep.
    """
    table, number, key = _split_location(location)
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


def _split_location(location: Sequence[int | str]) -> tuple[str, int, str]:
    match list(location):
        case [str(table), int(number), str(key), *_]:
            return table, number, key
        case [str(table), int(number)]:
            return table, number, ""
        case [str(table), str(key), *_]:
            return table, 0, key
        case [str(key), *_]:
            return "", 0, key
    return "", 0, ""
