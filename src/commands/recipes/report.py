"""What `verdicts recipe` prints."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

import click
from msgspec import to_builtins

from verdicts.extract.model.records import Reject
from verdicts.extract.recipes.recipe import recipe_of
from verdicts.pipeline.recipes import PANEL, values_of

if TYPE_CHECKING:
    from verdicts.extract.model.records import Extracted
    from verdicts.extract.recipes.page_view import PageView
    from verdicts.extract.recipes.recipe import Recipe
    from verdicts.pipeline.recipes import FieldCheck
    from verdicts.warehouse.serving.query import Answer

_LEFT_OVER = "left over"

TEXTS_SHOWN = 1_000
"""Texts of a page, and of its statements, in the table: nobody reads more, and to lay out 18,000 takes a minute."""

VALUES_SHOWN = 100
"""Values of a field."""


def print_try(view: PageView, extracted: Extracted, recipe: Recipe | None, url: str) -> None:
    """The page text by text, its statements and shapes, and what is read of it, field by field."""
    from verdicts.commands.printing.output import print_table

    texts = [(text.what, text.where, text.text, text.fills or _LEFT_OVER) for text in (*view.texts, *view.stated)]
    print_table(_answer(("what", "where", "text", "read as"), texts[:TEXTS_SHOWN]))
    if len(texts) > TEXTS_SHOWN:
        click.echo(f"and {len(texts) - TEXTS_SHOWN:,} more; --json has them all")
    if view.shapes:
        click.echo("\nrepeated: " + ", ".join(f"{css} ({count})" for css, count in view.shapes))
    click.echo("")
    values = values_of(extracted)
    told = values.pop("told", [])
    reader = values.pop("reader", [None])[0]
    if values:
        rows = [(name, str(_count(each)), _in_a_line(each)) for name, each in values.items()]
        print_table(_answer(("field", "values", "of each record"), rows))
    click.echo(extracted.detail if isinstance(extracted, Reject) else _said_of_reader(reader, recipe, url))
    for line in told:
        click.echo(f"told: {line}")
    click.echo(f"{sum(not text.fills for text in view.texts):,} of {len(view.texts):,} texts are left over")


def _said_of_reader(reader: str | None, recipe: Recipe | None, url: str) -> str:
    if reader == PANEL:
        return "read by: panel; a site with a profile needs no recipe"
    if recipe is None:
        return "nothing is compared or described here; no recipe was asked" if reader is None else f"read by: {reader}"
    if recipe_of(url, {recipe.host: recipe}) is None:
        return f"the recipe is for pages below {recipe.path}, and this one is {url}"
    if reader is None:
        return "nothing is compared or described here"
    beside = "" if reader == "recipe" else "; this reader goes before the recipe (always = true turns that)"
    return f"read by: {reader}{beside}"


def try_json(url: str, view: PageView, extracted: Extracted) -> str:
    """The same as JSON."""
    seen = {"url": url, "view": to_builtins(view), "read": to_builtins(extracted), "values": values_of(extracted)}
    return json.dumps(seen, ensure_ascii=False, indent=2)


def print_checks(checks: Sequence[FieldCheck]) -> None:
    """A line a field with how many values it has; below one that differs, both."""
    for check in checks:
        counts = f"{_count(check.found)} of {len(check.found)}"
        if check.is_as_expected:
            click.echo(f"ok      {check.page}  {check.field}: {counts}")
            continue
        click.echo(f"differs {check.page}  {check.field}: {counts}, expected {_count(check.expected)}")
        for place in range(max(len(check.expected), len(check.found))):
            before, now = (each[place] if place < len(each) else None for each in (check.expected, check.found))
            if before != now:
                click.echo(f"    {place + 1}. - {_shown(before)}\n    {place + 1}. + {_shown(now)}")


def print_stale(host: str, newest: date, fields: Sequence[str]) -> None:
    """How old the newest page is, and the fields that it does not fill."""
    click.echo(f"{host}: the newest page is of {newest}")
    for field in fields:
        click.echo(f"stale   {host}  {field}: no record of the newest page has it")


def _in_a_line(values: Sequence[str | None]) -> str:
    more = [f"and {len(values) - VALUES_SHOWN:,} more"] if len(values) > VALUES_SHOWN else []
    return " | ".join([*("-" if value is None else value for value in values[:VALUES_SHOWN]), *more])


def _count(values: Sequence[str | None]) -> int:
    return sum(value is not None for value in values)


def _shown(value: str | None) -> str:
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)


def _answer(columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Answer:
    from verdicts.warehouse.serving.query import Answer

    return Answer(columns, ("VARCHAR",) * len(columns), [*rows])
