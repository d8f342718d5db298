"""Pages that a recipe is held to: `recipes/HOST/PAGE/`, with `page.html` and `expected.json`."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, ValidationError, convert

from verdicts.corpus.toml_and_json import BrokenDocument
from verdicts.extract.model.records import Comparison, Extracted, Reject
from verdicts.extract.page import extract
from verdicts.extract.recipes.page_view import field_values
from verdicts.extract.recipes.recipe import Recipe
from verdicts.fetch.archives.pages import SIZE_LIMIT
from verdicts.fetch.given_files import read_file, read_json
from verdicts.fetch.model.addresses import BadUrl, canonicalize
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.pipeline.errors import ConfigError
from verdicts.warehouse.storage.durable import replace_text

PAGE, EXPECTED = "page.html", "expected.json"

_NO_NAME = re.compile(r"[^\w.-]+")
_NAME_CHARS = 60
"""Of a folder's name; as UTF-8 a name may have 255 bytes."""

PANEL = "panel"
"""What reads a site with a profile. A recipe is never asked there."""

Values: TypeAlias = Mapping[str, list[str | None]]
"""By its name, the values of a field in the order of the records; `told` are the doubts, `reject` why it was none."""


class Expected(Struct, frozen=True, forbid_unknown_fields=True):
    """What `expected.json` says: the page's address, the day that it was saved, and what is read of it.

    `fields` is None as long as nobody looked at what is read.
    """

    url: str
    saved_on: date
    fields: dict[str, list[str | None]] | None = None


@dataclass(frozen=True, slots=True)
class RecipePage:
    """A page with what is expected of it."""

    folder: Path
    html: bytes
    expected: Expected


def recipe_pages(folder: Path, host: str) -> list[RecipePage]:
    """The pages of a host in the folder of recipes, oldest first. Raises `ConfigError` where one is not whole."""
    pages = (
        [read_recipe_page(page) for page in sorted((folder / host).iterdir()) if page.is_dir()]
        if (folder / host).is_dir()
        else []
    )
    return sorted(pages, key=lambda page: page.expected.saved_on)


def read_recipe_page(folder: Path) -> RecipePage:
    """One page. Raises `ConfigError` where it is not whole."""
    try:
        html = read_file(folder / PAGE, SIZE_LIMIT, follows_links=False)
        expected = convert(read_json(folder / EXPECTED, follows_links=False), Expected)
        canonicalize(expected.url)
        return RecipePage(folder, html, expected)
    except FileNotFoundError as error:
        raise ConfigError(f"{error.filename}: it is missing; 'verdicts recipe new' writes both files") from error
    except OSError as error:
        raise ConfigError(f"{error.filename}: {error.strerror}") from error
    except BrokenDocument as error:
        raise ConfigError(str(error)) from error
    except (BadUrl, ValidationError) as error:
        raise ConfigError(f"{folder / EXPECTED}: {error}") from error


def folder_name(name: str) -> str:
    """What the folder of a page is called, whatever its file or address was: letters, digits, `_`, `.`, `-` alone."""
    return _NO_NAME.sub("-", name).strip(".-")[:_NAME_CHARS] or "page"


def write_recipe_page(page: RecipePage) -> None:
    """Writes both files of a page, a line a field."""
    page.folder.mkdir(parents=True)
    (page.folder / PAGE).write_bytes(page.html)
    write_expected(page)


def write_expected(page: RecipePage) -> None:
    """Writes `expected.json`."""
    expected = page.expected
    lines = [f'  "url": {json.dumps(expected.url)}', f'  "saved_on": "{expected.saved_on}"']
    if expected.fields is not None:
        of_fields = [
            f"    {json.dumps(name, ensure_ascii=False)}: {json.dumps(values, ensure_ascii=False)}"
            for name, values in expected.fields.items()
        ]
        lines.append('  "fields": {\n' + ",\n".join(of_fields) + "\n  }" if of_fields else '  "fields": {}')
    replace_text(page.folder / EXPECTED, "{\n" + ",\n".join(lines) + "\n}\n")


def with_fields(page: RecipePage, fields: Values) -> RecipePage:
    """The page with these as what is expected."""
    return replace(page, expected=Expected(page.expected.url, page.expected.saved_on, dict(fields)))


def read_with(html: bytes, url: str, recipe: Recipe | None) -> Extracted:
    """What is read of a page, by the recipe where the other readers make no tools of it."""
    headers = (("content-type", "text/html"),)
    snapshot = Snapshot(url, url, datetime(1970, 1, 1, tzinfo=UTC), 200, headers, html, "")
    return extract(snapshot, recipes={} if recipe is None else {recipe.host: recipe})


def values_of(extracted: Extracted) -> dict[str, list[str | None]]:
    """What was read, field by field, with all that is told."""
    if isinstance(extracted, Reject):
        return {"reject": [extracted.reason]}
    found: dict[str, list[str | None]] = {}
    if isinstance(extracted, Comparison):
        found = {"reader": [PANEL], "tools.name": [card.name for card in extracted.cards]}
    elif extracted.side_by_side is not None:
        found = {"reader": [extracted.side_by_side.reader], **field_values(extracted.side_by_side)}
    if extracted.doubts:
        found["told"] = [f"{doubt.rule}: {doubt.expected}; {doubt.found}" for doubt in extracted.doubts]
    return found
