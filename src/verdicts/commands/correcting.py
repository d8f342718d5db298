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
from verdicts.warehouse.serving.published import find_published

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SEEN = ("raw", "name", "attribute")
"""Columns that show whether a row is still the one that the person saw, if its key is a number."""


@cli.group()
def correct() -> None:
    pass


def _note_decision(command: Callable[..., tuple[str, dict[str, object]]]) -> Callable[..., None]:
    """Gives a command `--why`, `--by` and the published copy, and notes the entry that it returns."""

    @click.option("--why", required=True, metavar="TEXT", help="The reason.")
    @click.option(
        "--by", metavar="NAME", help="The person who decides. [default: the user of git, else of this machine]"
    )
    @data_option
    @wraps(command)
    def note(why: str, by: str | None, folder: DataFolder, **arguments: object) -> None:
        from verdicts.pipeline import steps
        from verdicts.pipeline.correction_files import WRITTEN
        from verdicts.warehouse.serving.query import open_for_questions

        with open_for_questions(find_published(folder.serve)) as connection:
            try:
                kind, entry = command(connection, **arguments)
            except ValueError as error:
                raise click.UsageError(str(error)) from None
        made = steps.note_correction(folder, kind, entry, by=find_person() if by is None else by, why=why)
        print_line(f"{folder.corrections / WRITTEN}: correction {made.id[:12]} is recorded; the next build applies it")
        print_next("verdicts build", "verdicts publish")

    return note


def find_person() -> str:
    """The user of git, else of this machine."""
    try:
        named = subprocess.run(["git", "config", "user.name"], capture_output=True, text=True, timeout=5, check=False)  # noqa: S607  as found in PATH
        return named.stdout.strip() or getpass.getuser()
    except (OSError, KeyError, subprocess.SubprocessError):
        # No git; and a container's account may have only a number.
        return "unknown"


@correct.command("same")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@_note_decision
def same(connection: DuckDBPyConnection, first: str, second: str) -> tuple[str, dict[str, object]]:
    """A goes into B, which keeps its id and its name. Both are tools or both are reviews."""
    kind, goes, stays = _find_two(connection, first, second)
    return "same", {kind: goes, "into": stays}


@correct.command("different")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@_note_decision
def different(connection: DuckDBPyConnection, first: str, second: str) -> tuple[str, dict[str, object]]:
    """Both are tools or both are reviews."""
    kind, first_id, second_id = _find_two(connection, first, second)
    return "different", {kind: first_id, "other": second_id}


_tool_option = click.option("--tool", metavar="TOOL", help="An id, its first characters, a slug or a name.")
_no_tool_option = click.option("--no-tool", is_flag=True, help="It is not about a tool of the panel.")


@correct.command("review")
@click.argument("named", metavar="REVIEW")
@_tool_option
@_no_tool_option
@_note_decision
def review(
    connection: DuckDBPyConnection, named: str, tool: str | None, no_tool: bool
) -> tuple[str, dict[str, object]]:
    """REVIEW is its id, or the first characters of it. With --no-tool the review leaves the corpus, such as spam."""
    return "review", {"review": _find_review(connection, named), **_choose_tool(connection, tool, no_tool=no_tool)}


@correct.command("value")
@click.argument("table")
@click.argument("column")
@click.argument("value", required=False)
@click.option("--row", "key", multiple=True, required=True, metavar="COLUMN=VALUE", help="A column of the row's key.")
@click.option("--absent", is_flag=True, help="There is no value.")
@_note_decision
def value(
    connection: DuckDBPyConnection, table: str, column: str, value: str | None, key: tuple[str, ...], absent: bool
) -> tuple[str, dict[str, object]]:
    """The row is named by all columns of its key; a tool may be named by slug or name."""
    from verdicts.corpus.tables import TABLES
    from verdicts.pipeline.correction_files import convert_value, list_correctable_columns
    from verdicts.warehouse.serving.name_lookup import the_page, the_tool

    list_correctable_columns(table)
    find = {"tool_id": the_tool, "page_id": the_page, "review_id": _find_review}
    parts = {name: words for name, _, words in (part.partition("=") for part in key)}
    if parts.keys() != {*TABLES[table].key}:
        called = "; tool_id may also be a slug or a name" if "tool_id" in TABLES[table].key else ""
        raise ValueError(f"name the row by {' and '.join(f'--row {name}=VALUE' for name in TABLES[table].key)}{called}")
    declared = {each.name: each for each in TABLES[table].columns}
    values = {name: find[name](connection, words) if name in find else words for name, words in parts.items()}
    row = {name: convert_value(declared[name], words) for name, words in values.items()}
    for published in _read_rows(connection, TABLES[table].relation, row):
        is_by_number = "tier_number" in row
        seen = {name: published[name] for name in SEEN if is_by_number and name != column and published.get(name)}
        entry = {"table": table, "row": row | seen, "column": column, "was": published.get(column), "value": value}
        return "value", entry | {"absent": absent or None}
    raise ValueError(f"{table} has no row with {', '.join(f'{name}={value}' for name, value in row.items())}")


@correct.command("category")
@click.argument("named", metavar="CATEGORY")
@click.argument("group")
@_note_decision
def category(connection: DuckDBPyConnection, named: str, group: str) -> tuple[str, dict[str, object]]:
    """CATEGORY is as published; case, order and signs make no difference."""
    if (named.lower(),) not in connection.table("tools").select("lower(category)").distinct().fetchall():
        raise ValueError(f"no tool has the category {named!r}; 'verdicts query category_summary' lists them")
    return "category", {"category": named, "group": group}


@correct.command("outside")
@click.argument("url")
@click.argument("named", metavar="NAME")
@_tool_option
@_no_tool_option
@_note_decision
def outside(
    connection: DuckDBPyConnection, url: str, named: str, tool: str | None, no_tool: bool
) -> tuple[str, dict[str, object]]:
    """NAME is the tool's name on the page at URL."""
    ids = [page["page_id"] for page in _read_rows(connection, "pages", {"url": url})]
    names = [tool["name"] for page_id in ids for tool in _read_rows(connection, "mentions", {"page_id": page_id})]
    if named not in names:
        raise ValueError(f"{url} names {', '.join(map(repr, names)) or 'no tools'}, not {named!r}")
    return "outside", {"url": url, "name": named, **_choose_tool(connection, tool, no_tool=no_tool)}


def _find_subject(connection: DuckDBPyConnection, words: str) -> tuple[str, str]:
    """The kind and id of a tool or review. Raises ValueError, QuestionFailed."""
    from verdicts.warehouse.serving.name_lookup import the_tool

    if not words or not set(words) <= set("0123456789abcdef"):
        return "tool", the_tool(connection, words)
    sql = Path(__file__).with_name("known_ids.sql").read_text(encoding="utf-8")
    subjects = connection.execute(sql, {"id": words}).fetchall()
    if not subjects:
        return "tool", the_tool(connection, words)
    if len(subjects) > 1:
        raise ValueError(f"several ids begin with {words!r}: {', '.join(f'{kind} {id_}' for kind, id_ in subjects)}")
    return subjects[0]


def _find_review(connection: DuckDBPyConnection, words: str) -> str:
    kind, review_id = _find_subject(connection, words)
    if kind != "review":
        raise ValueError(f"{words!r} is a tool; name a review by its id")
    return review_id


def _find_two(connection: DuckDBPyConnection, first: str, second: str) -> tuple[str, str, str]:
    """The kind of two tools or two reviews, and their ids. Raises ValueError, QuestionFailed."""
    (kind, first_id), (second_kind, second_id) = (_find_subject(connection, words) for words in (first, second))
    if kind != second_kind:
        raise ValueError(f"the first is a {kind}, the second a {second_kind}; name two tools or two reviews")
    return kind, first_id, second_id


def _choose_tool(connection: DuckDBPyConnection, tool: str | None, *, no_tool: bool) -> dict[str, object]:
    from verdicts.warehouse.serving.name_lookup import the_tool

    return {"tool": None if tool is None else the_tool(connection, tool), "no_tool": no_tool or None}


def _read_rows(connection: DuckDBPyConnection, relation: str, values: Mapping[str, object]) -> list[Mapping[str, Any]]:
    """The published rows with these values."""
    from duckdb import ColumnExpression, ConstantExpression

    rows = connection.table(relation)
    for name, value in values.items():
        rows = rows.filter(ColumnExpression(name) == ConstantExpression(value))
    return [dict(zip(rows.columns, row, strict=True)) for row in rows.fetchall()]
