"""Commands that note decisions of people on rows."""

from __future__ import annotations

import getpass
import subprocess
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verdicts.commands.group import cli
from verdicts.commands.options import data_option
from verdicts.commands.printing.summary import print_line, print_next
from verdicts.pipeline.data_folder import DataFolder
from verdicts.warehouse.serving.published import published

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from verdicts.corpus.columns import Column
    from verdicts.normalize.corrections import Value

SEEN = ("raw", "name", "attribute")
"""Columns that tell whether a row is still the one that was seen, where a key is a position."""


@cli.group()
def correct() -> None:
    pass


def _decision(command: Callable[..., tuple[str, dict[str, object]]]) -> Callable[..., None]:
    """Gives a command `--why`, `--by` and the published copy, and notes the entry that it returns."""

    @click.option("--why", required=True, metavar="TEXT", help="The reason, which is kept.")
    @click.option("--by", metavar="NAME", help="Who decides. [default: the user of git, else of this machine]")
    @data_option
    @wraps(command)
    def noted(why: str, by: str | None, folder: DataFolder, **arguments: object) -> None:
        from verdicts.pipeline import steps
        from verdicts.pipeline.corrections import WRITTEN
        from verdicts.warehouse.serving.query import opened_for_questions

        with opened_for_questions(published(folder.serve)) as connection:
            try:
                kind, entry = command(connection, **arguments)
            except ValueError as error:
                raise click.UsageError(str(error)) from None
        made = steps.note_correction(folder, kind, entry, by=person() if by is None else by, why=why)
        print_line(f"{folder.corrections / WRITTEN}: correction {made.id[:12]} is noted; the next build applies it")
        print_next("verdicts build, then verdicts publish")

    return noted


def person() -> str:
    """The user of git, else of this machine."""
    try:
        named = subprocess.run(["git", "config", "user.name"], capture_output=True, text=True, timeout=5, check=False)  # noqa: S607  as found in PATH
        return named.stdout.strip() or getpass.getuser()
    except (OSError, KeyError, subprocess.SubprocessError):
        # No git; and a container's account may have only a number.
        return "unknown"


@correct.command("same")
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@_decision
def same(connection: DuckDBPyConnection, one: str, other: str) -> tuple[str, dict[str, object]]:
    """A goes into B, which keeps its id and its name. Both are tools or both are takes."""
    kind, goes, stays = _two(connection, one, other)
    return "same", {kind: goes, "into": stays}


@correct.command("different")
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@_decision
def different(connection: DuckDBPyConnection, one: str, other: str) -> tuple[str, dict[str, object]]:
    """Both are tools or both are takes."""
    kind, first, second = _two(connection, one, other)
    return "different", {kind: first, "other": second}


_tool_option = click.option("--tool", metavar="TOOL", help="An id, its first characters, a slug or a name.")
_no_tool_option = click.option("--no-tool", is_flag=True, help="It is about no tool of the panel.")


@correct.command("take")
@click.argument("named", metavar="TAKE")
@_tool_option
@_no_tool_option
@_decision
def take(connection: DuckDBPyConnection, named: str, tool: str | None, no_tool: bool) -> tuple[str, dict[str, object]]:
    """TAKE is its id, or the first characters of it. With --no-tool it leaves the corpus: spam, a test page."""
    return "take", {"take": _take(connection, named), **_whose(connection, tool, no_tool=no_tool)}


@correct.command("value")
@click.argument("table")
@click.argument("column")
@click.argument("value", required=False)
@click.option("--row", "key", multiple=True, required=True, metavar="COLUMN=VALUE", help="A column of the row's key.")
@click.option("--absent", is_flag=True, help="There is no value.")
@_decision
def value(
    connection: DuckDBPyConnection, table: str, column: str, value: str | None, key: tuple[str, ...], absent: bool
) -> tuple[str, dict[str, object]]:
    """The row is named by all columns of its key; a tool may be named by slug or name."""
    from verdicts.corpus.tables import TABLES
    from verdicts.pipeline.corrections import correctable, fitting
    from verdicts.warehouse.serving.meant import the_page, the_tool

    correctable(table, column)
    declared = {each.name: each for each in TABLES[table].columns}
    find: Mapping[str, Callable[[DuckDBPyConnection, str], str]] = {
        "tool_id": the_tool,
        "page_id": the_page,
        "review_id": _take,
    }
    row: dict[str, Any] = {}
    for name, _, words in (part.partition("=") for part in key):
        if name not in TABLES[table].key:
            raise ValueError(f"{name!r} is not in the key of {table}, which is {', '.join(TABLES[table].key)}")
        row[name] = find[name](connection, words) if name in find else _read(declared[name], words)
    if missing := [name for name in TABLES[table].key if name not in row]:
        raise ValueError(f"name the row by --row {missing[0]}=VALUE, too")
    shown = _row(connection, TABLES[table].relation, row)
    _check_uncorrected(connection, table, row, column)
    if (value is None) != absent:
        raise ValueError("give either a value or --absent")
    new = fitting(declared[column], None if value is None else _read(declared[column], value))
    seen = {name: shown.get(name) for name in SEEN if "position" in row and name != column}
    entry = {"table": table, "row": {name: said for name, said in (row | seen).items() if said is not None}}
    return "value", {**entry, "column": column, "was": shown[column], "value": new, "absent": absent or None}


@correct.command("category")
@click.argument("named", metavar="CATEGORY")
@click.argument("group")
@_decision
def category(connection: DuckDBPyConnection, named: str, group: str) -> tuple[str, dict[str, object]]:
    """CATEGORY is as published; case, order and signs make no difference."""
    if not connection.execute("SELECT 1 FROM tools WHERE lower(category) = lower(?) LIMIT 1", [named]).fetchall():
        raise ValueError(f"no tool has the category {named!r}; 'verdicts query categories' lists them")
    return "category", {"category": named, "group": group}


@correct.command("outside")
@click.argument("url")
@click.argument("named", metavar="NAME")
@_tool_option
@_no_tool_option
@_decision
def outside(
    connection: DuckDBPyConnection, url: str, named: str, tool: str | None, no_tool: bool
) -> tuple[str, dict[str, object]]:
    """The page at URL, of another site, names a tool NAME."""
    known = connection.execute("SELECT name FROM outside.all_outside_tools WHERE url = ? ORDER BY position", [url])
    names = [name for (name,) in known.fetchall()]
    if named not in names:
        raise ValueError(f"{url} names {', '.join(map(repr, names)) or 'no tools'}, not {named!r}")
    return "outside", {"url": url, "name": named, **_whose(connection, tool, no_tool=no_tool)}


def _named(connection: DuckDBPyConnection, words: str) -> tuple[str, str]:
    """The kind and id of a tool or take. Raises ValueError, QuestionFailed."""
    from verdicts.warehouse.serving.meant import the_tool

    if not words or not set(words) <= set("0123456789abcdef"):
        return "tool", the_tool(connection, words)
    asked = Path(__file__).with_name("known_ids.sql").read_text(encoding="utf-8")
    found = connection.execute(asked, {"id": words}).fetchall()
    if not found:
        return "tool", the_tool(connection, words)
    if len(found) > 1:
        raise ValueError(f"several ids begin {words!r}: {', '.join(f'{kind} {id_}' for kind, id_ in found)}")
    return found[0]


def _take(connection: DuckDBPyConnection, words: str) -> str:
    kind, take_id = _named(connection, words)
    if kind != "take":
        raise ValueError(f"{words!r} is a tool; name a take by its id")
    return take_id


def _two(connection: DuckDBPyConnection, one: str, other: str) -> tuple[str, str, str]:
    """The kind of two tools or two takes, and their ids. Raises ValueError, QuestionFailed."""
    kind, first = _named(connection, one)
    other_kind, second = _named(connection, other)
    if kind != other_kind:
        raise ValueError(f"the first is a {kind}, the second a {other_kind}; name two tools or two takes")
    return kind, first, second


def _whose(connection: DuckDBPyConnection, tool: str | None, *, no_tool: bool) -> dict[str, object]:
    from verdicts.warehouse.serving.meant import the_tool

    if (tool is None) != no_tool:
        raise ValueError("give either --tool TOOL or --no-tool")
    return {"no_tool": True} if tool is None else {"tool": the_tool(connection, tool)}


def _read(column: Column, words: str) -> Value:
    """A value as typed. Raises ValueError."""
    try:
        match column.type:
            case "BIGINT":
                return int(words)
            case "DOUBLE":
                return float(words)
            case "BOOLEAN":
                return {"true": True, "false": False}[words.lower()]
    except (ValueError, KeyError):
        wanted = {"BIGINT": "a whole number", "DOUBLE": "a number"}.get(column.type, "true or false")
        raise ValueError(f"{column.name} is {wanted}, not {words!r}") from None
    return words


def _row(connection: DuckDBPyConnection, relation: str, row: Mapping[str, object]) -> Mapping[str, Any]:
    """The published row. Raises ValueError if there is none."""
    from verdicts.warehouse.storage.sql_files import quoted

    named = " AND ".join(f"{quoted(name)} = ${name}" for name in row)
    cursor = connection.execute(f"SELECT * FROM {relation} WHERE {named}", dict(row))  # noqa: S608  names of ours
    columns = [name for name, *_ in cursor.description]
    found = cursor.fetchall()
    if not found:
        said = ", ".join(f"{name}={value}" for name, value in row.items())
        raise ValueError(f"{relation} has no row with {said}")
    return dict(zip(columns, found[0], strict=True))


def _check_uncorrected(connection: DuckDBPyConnection, table: str, row: Mapping[str, object], column: str) -> None:
    """Raises ValueError if the published value is a person's: what the pages say does not show."""
    asked = (
        "SELECT left(correction_id, 12), made_by FROM evidence.corrections WHERE kind = 'value' AND outcome = 'applied'"
        " AND relation = ? AND column_name = ? AND starts_with(row_key || ', ', ?)"
    )
    from verdicts.corpus.tables import TABLES
    from verdicts.normalize.corrections import key_in_words

    key = key_in_words([(name, row[name]) for name in TABLES[table].key])
    for id_, by in connection.execute(asked, [TABLES[table].relation, column, f"{key}, "]).fetchall():
        raise ValueError(f"correction {id_} of {by} is on this value; take it out of corrections/ first, and build")
