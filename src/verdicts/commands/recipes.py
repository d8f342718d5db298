"""`verdicts recipe`: shows a page as read, writes a first recipe, and tests recipes on their pages."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verdicts.commands.group import cli
from verdicts.commands.options import data_option
from verdicts.commands.printing.output import print_table
from verdicts.commands.printing.summary import print_next
from verdicts.pipeline import exit_codes
from verdicts.pipeline.data_folder import DataFolder

if TYPE_CHECKING:
    from verdicts.commands.recipe_pages import FieldCheck, RecipePage
    from verdicts.extract.model.records import Extracted
    from verdicts.extract.recipes.page_view import PageView
    from verdicts.extract.recipes.recipe import Recipe
    from verdicts.warehouse.serving.query import Answer

_FILE_HOST = "page.example"
"""The host of a file without a known one."""


@cli.group()
def recipe() -> None:
    pass


@recipe.command("try")
@click.argument("page", metavar="URL_OR_FILE")
@click.option(
    "--recipe", "file", type=click.Path(path_type=Path), help="[default: recipes/HOST.toml in the data folder]"
)
@data_option
def try_recipe(page: str, file: Path | None, folder: DataFolder) -> None:
    from verdicts.commands.recipe_pages import extract_with, list_labels, list_values
    from verdicts.extract.page import holds_html
    from verdicts.extract.recipes.page_view import page_view
    from verdicts.pipeline.declaration_files import read_declarations

    saved = _read_page(page, folder, None if file is None else file.stem)
    chosen = _choose_recipe(file, saved, folder)
    profiles = read_declarations(folder).profiles
    extracted = extract_with(saved.html, saved.expected.url, chosen, profiles)
    labels = list_labels(extracted, chosen, profiles)
    view = page_view(saved.html, saved.expected.url, list_values(extracted), labels, is_html=holds_html(saved.html))
    print_try(view, extracted, chosen, saved.expected.url)


@recipe.command("new")
@click.argument("host")
@click.argument("pages", metavar="PAGE...", nargs=-1, required=True)
@data_option
def new_recipe(host: str, pages: tuple[str, ...], folder: DataFolder) -> None:
    from dataclasses import replace

    from verdicts.commands.recipe_pages import draft_recipe, make_folder_name, write_recipe_page
    from verdicts.fetch.model.addresses import BadUrl, normalize_host

    try:
        # A browser reads the host `evil` from `http:///evil`.
        host = normalize_host("" if {"/", "\\"} & {*host} else host)
    except BadUrl:
        hint = "write 'example.org', without https://, port or path"
        raise click.UsageError(f"{host[:200]!r} is not a host; {hint}") from None
    recipes = folder.recipes
    saved = [_read_page(page, folder, host) for page in pages]
    names = [make_folder_name(page.folder.name) for page in saved]
    if len({*names}) < len(names):
        raise click.UsageError("two pages have the same name; rename a file")
    target = recipes / f"{host}.toml"
    if (recipes / host).is_symlink():
        raise click.UsageError(f"{recipes / host} is a link; make it a folder")
    for page, name in zip(saved, names, strict=True):
        kept = replace(page, folder=recipes / host / name)
        if os.path.lexists(kept.folder):
            raise click.UsageError(f"{kept.folder} already exists; rename the file, or delete that folder")
        write_recipe_page(kept)
        click.echo(f"{kept.folder}: kept, saved on {kept.expected.saved_on}")
    if os.path.lexists(target):
        click.echo(f"{target}: already exists and was not changed")
    else:
        target.write_text(draft_recipe(host, saved[0].html, saved[0].expected.url), encoding="utf-8")
        click.echo(f"{target}: written")
    print_next(f"edit {target}", f"verdicts recipe try {recipes / host / names[0]}")


@recipe.command("test")
@click.argument("directory", metavar="[FOLDER]", type=click.Path(path_type=Path), required=False)
@click.option(
    "--update", "is_updated", is_flag=True, help="Save the values read now as expected, and show the changes."
)
@data_option
def test_recipes(directory: Path | None, is_updated: bool, folder: DataFolder) -> int:
    """The default of FOLDER is recipes/ in the data folder."""
    from verdicts.commands.recipe_pages import (
        check_page,
        find_stale_fields,
        read_recipe_pages,
        replace_fields,
        write_expected,
    )
    from verdicts.pipeline.declaration_files import read_recipes

    root = folder.recipes if directory is None else directory
    recipes = read_recipes(root)
    if not recipes:
        raise click.UsageError(f"{root} has no recipes; 'verdicts recipe new HOST PAGE' writes one")
    failed, pages, values, differing = 0, 0, 0, 0
    for host, recipe_of_host in recipes.items():
        of_host = read_recipe_pages(root, host)
        if not of_host:
            failed += 1
            click.echo(f"{host}: there is no page to test it with; 'verdicts recipe new {host} PAGE' keeps one")
            continue
        for page in of_host:
            checks, values_now = check_page(page, recipe_of_host)
            print_checks(checks)
            is_new = page.expected.fields is None
            wrong = sum(not check.is_as_expected for check in checks)
            if is_new and not is_updated:
                click.echo(f"{host}/{page.folder.name}: no values are expected yet; --update accepts those read now")
            if is_updated and (wrong or is_new):
                write_expected(replace_fields(page, values_now))
            failed += is_new or wrong > 0
            pages, values, differing = (
                pages + 1,
                values + sum(len(each) for each in values_now.values()),
                differing + wrong,
            )
        print_stale(host, of_host[-1].expected.saved_on, find_stale_fields(recipe_of_host, values_now))
    kept = "; the expected values were updated" if is_updated and failed else ""
    click.echo(f"{len(recipes):,} recipes, {pages:,} pages, {values:,} values, {differing:,} fields differ{kept}")
    return exit_codes.USAGE if failed and not is_updated else exit_codes.DONE


def _read_page(named: str, folder: DataFolder, host: str | None) -> RecipePage:
    """A page of a recipe's folder, a file, or an address' newest snapshot."""
    from verdicts.commands.recipe_pages import EXPECTED, PAGE, Expected, RecipePage, read_recipe_page
    from verdicts.fetch.archives.archive_pages import SIZE_LIMIT
    from verdicts.fetch.input_files import open_file

    if named.startswith(("http://", "https://")):
        return _read_snapshot(named, folder)
    path = Path(named)
    if path.name == PAGE and (path.parent / EXPECTED).exists():
        path = path.parent
    if path.is_dir():
        return read_recipe_page(path)
    try:
        with open_file(path) as file:
            saved_on = datetime.fromtimestamp(os.fstat(file.fileno()).st_mtime, tz=UTC).date()
            html = file.read(SIZE_LIMIT + 1)
    except FileNotFoundError:
        raise click.UsageError(f"{named}: no such file; a URL begins with https://") from None
    except OSError as error:
        raise click.UsageError(f"{named}: {error.strerror}") from None
    if len(html) > SIZE_LIMIT:
        raise click.UsageError(f"{named}: more than {SIZE_LIMIT:,} bytes")
    expected = Expected(f"https://{host or _FILE_HOST}/", saved_on)
    return RecipePage(path.with_suffix(""), html, expected)


def _read_snapshot(url: str, folder: DataFolder) -> RecipePage:
    from verdicts.commands.recipe_pages import Expected, RecipePage
    from verdicts.fetch.store.store import open_store
    from verdicts.fetch.store.warc import read_segment

    with open_store(folder.root, command="recipe", read_only=True) as store:
        of_url = [entry for entry in store.index() if url in {entry.url, entry.final_url} and not entry.is_lost]
        if not of_url:
            raise click.UsageError(f"{url} was not crawled; save the page as a file, or 'verdicts crawl' its site")
        entry = of_url[-1]
        snapshot = next(read_segment(folder.raw / entry.location.segment, [entry.location.offset]))
    name = "-".join(part for part in url.partition("://")[2].split("/")[1:] if part) or "home"
    return RecipePage(Path(name), snapshot.body, Expected(entry.final_url, entry.fetched_at.date()))


def _choose_recipe(file: Path | None, page: RecipePage, folder: DataFolder) -> Recipe | None:
    """The recipe of `--recipe`, whatever the page's host; else the one beside the page or in the data folder."""
    from verdicts.fetch.model.addresses import find_host
    from verdicts.pipeline.declaration_files import read_recipe

    host = find_host(page.expected.url)
    if file is not None:
        return read_recipe(file, host)
    for directory in (page.folder.parent.parent, folder.recipes):
        if (path := directory / f"{host}.toml").exists():
            return read_recipe(path)
    return None


_LEFT_OVER = "left over"


TEXTS_SHOWN = 1_000
"""The most texts of a page in the table: layout of 18,000 takes a minute."""


VALUES_SHOWN = 100
"""The most values of a field."""


def print_try(view: PageView, extracted: Extracted, recipe: Recipe | None, url: str) -> None:
    """Prints the page text by text, its shapes, and the fields read."""
    from verdicts.commands.recipe_pages import list_values
    from verdicts.extract.model.records import Reject

    texts = [(text.what, text.where, text.text, text.fills or _LEFT_OVER) for text in view.texts]
    print_table(_make_answer(("kind", "where", "text", "read as"), texts[:TEXTS_SHOWN]))
    if len(texts) > TEXTS_SHOWN:
        click.echo(f"and {len(texts) - TEXTS_SHOWN:,} more")
    if view.shapes:
        click.echo("\nrepeated: " + ", ".join(f"{css} ({count})" for css, count in view.shapes))
    click.echo("")
    values = list_values(extracted)
    doubts = values.pop("doubts", [])
    reader = values.pop("reader", [None])[0]
    if values:
        rows = [(name, str(_count_values(each)), _join_values(each)) for name, each in values.items()]
        print_table(_make_answer(("field", "values", "of each record"), rows))
    click.echo(extracted.detail if isinstance(extracted, Reject) else _describe_reader(reader, recipe, url))
    for line in doubts:
        click.echo(f"doubt: {line}")
    click.echo(f"{sum(not text.fills for text in view.texts):,} of {len(view.texts):,} texts are left over")


def _describe_reader(reader: str | None, recipe: Recipe | None, url: str) -> str:
    from verdicts.commands.recipe_pages import PANEL
    from verdicts.extract.recipes.recipe import find_recipe

    if reader == PANEL:
        return "read by: panel; a site with a profile needs no recipe"
    if recipe is None:
        return "nothing is compared or described here; there is no recipe" if reader is None else f"read by: {reader}"
    if find_recipe(url, {recipe.host: recipe}) is None:
        return f"the recipe is for pages below {recipe.path}, and this one is {url}"
    if reader is None:
        return "nothing is compared or described here"
    beside = "" if reader == "recipe" else "; this reader goes before the recipe (always = true changes that)"
    return f"read by: {reader}{beside}"


def print_checks(checks: Sequence[FieldCheck]) -> None:
    """Prints the number of values of each field, and both versions of one that differs."""
    for check in checks:
        counts = f"{_count_values(check.found)} of {len(check.found)}"
        if check.is_as_expected:
            click.echo(f"ok      {check.page}  {check.field}: {counts}")
            continue
        click.echo(f"differs {check.page}  {check.field}: {counts}, expected {_count_values(check.expected)}")
        for number in range(max(len(check.expected), len(check.found))):
            before, now = (each[number] if number < len(each) else None for each in (check.expected, check.found))
            if before != now:
                click.echo(f"    {number + 1}. - {_quote(before)}\n    {number + 1}. + {_quote(now)}")


def print_stale(host: str, newest: date, fields: Sequence[str]) -> None:
    """Prints the age of the newest page, and the fields that it does not fill."""
    click.echo(f"{host}: the newest page was saved on {newest}")
    for field in fields:
        click.echo(f"stale   {host}  {field}: the newest page has no value for it")


def _join_values(values: Sequence[str | None]) -> str:
    more = [f"and {len(values) - VALUES_SHOWN:,} more"] if len(values) > VALUES_SHOWN else []
    return " | ".join([*("-" if value is None else value for value in values[:VALUES_SHOWN]), *more])


def _count_values(values: Sequence[str | None]) -> int:
    return sum(value is not None for value in values)


def _quote(value: str | None) -> str:
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)


def _make_answer(columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Answer:
    from verdicts.warehouse.serving.query import Answer

    return Answer(columns, ("VARCHAR",) * len(columns), [*rows])
