"""The test pages of recipes, and the check that they still read these as expected."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from string import Template
from typing import TypeAlias

from msgspec import Struct, ValidationError, convert, to_builtins

from verdicts.corpus.text import BrokenDocument
from verdicts.extract.model.fact_lines import group_lines
from verdicts.extract.model.records import Comparison, Extracted, Reject, SideBySide
from verdicts.extract.page import extract, holds_html
from verdicts.extract.panel.profile import SHIPPED, Profiles
from verdicts.extract.recipes.page_view import page_view
from verdicts.extract.recipes.recipe import Anchor, Recipe
from verdicts.fetch.archives.archive_pages import SIZE_LIMIT
from verdicts.fetch.input_files import read_file, read_json
from verdicts.fetch.model.addresses import BadUrl, canonicalize
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.normalize.parse.tool_values import choose_tools
from verdicts.pipeline.pipeline_errors import ConfigError
from verdicts.warehouse.storage.durable import replace_text

PAGE, EXPECTED = "page.html", "expected.json"

_NO_NAME = re.compile(r"[^\w.-]+")
_NAME_CHARS = 60
"""Characters of a folder's name. A name may have 255 bytes of UTF-8."""

PANEL = "panel"
"""The reader of sites with a profile, which never use recipes."""

Values: TypeAlias = Mapping[str, list[str | None]]
"""The values of each field, in the order of the records. `doubts` has the doubts, `reject` the reason of a reject."""


class Expected(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `expected.json`: the address of a page, the day it was saved, and what is read of it.

    `fields` is None until a person has checked what is read.
    """

    url: str
    saved_on: date
    fields: dict[str, list[str | None]] | None = None


@dataclass(frozen=True, slots=True)
class RecipePage:
    folder: Path
    html: bytes
    expected: Expected


def recipe_pages(folder: Path, host: str) -> list[RecipePage]:
    """The pages of a host, oldest first. Raises `ConfigError` if a page is incomplete."""
    pages = (
        [read_recipe_page(page) for page in sorted((folder / host).iterdir()) if page.is_dir()]
        if (folder / host).is_dir()
        else []
    )
    return sorted(pages, key=lambda page: page.expected.saved_on)


def read_recipe_page(folder: Path) -> RecipePage:
    """Reads a page and its expected values. Raises `ConfigError` if it is incomplete."""
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
    """A safe folder name for a page, of letters, digits, `_`, `.` and `-`."""
    return _NO_NAME.sub("-", name).strip(".-")[:_NAME_CHARS] or "page"


def write_recipe_page(page: RecipePage) -> None:
    """Writes both files of a page."""
    page.folder.mkdir(parents=True)
    (page.folder / PAGE).write_bytes(page.html)
    write_expected(page)


def write_expected(page: RecipePage) -> None:
    """Writes `expected.json`, one line per field."""
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
    return replace(page, expected=Expected(page.expected.url, page.expected.saved_on, dict(fields)))


def read_with(html: bytes, url: str, recipe: Recipe | None, profiles: Profiles = SHIPPED) -> Extracted:
    """Extracts a page, or a text dump of one. The recipe is used where the other readers find no tools."""
    headers = (("content-type", "text/html" if holds_html(html) else "text/plain"),)
    snapshot = Snapshot(url, url, datetime(1970, 1, 1, tzinfo=UTC), 200, headers, html, "")
    return extract(snapshot, profiles, {} if recipe is None else {recipe.host: recipe})


def list_values(extracted: Extracted) -> dict[str, list[str | None]]:
    """What was read, by field, with the doubts."""
    if isinstance(extracted, Reject):
        return {"reject": [extracted.reason]}
    values: dict[str, list[str | None]] = {}
    if isinstance(extracted, Comparison):
        values = {"reader": [PANEL], **_panel_values(extracted)}
    elif extracted.side_by_side is not None:
        values = {"reader": [extracted.side_by_side.reader], **field_values(extracted.side_by_side)}
    if extracted.doubts:
        values["doubts"] = [f"{doubt.rule}: {doubt.expected}; {doubt.found}" for doubt in extracted.doubts]
    return values


def labels_on(extracted: Extracted, recipe: Recipe | None, profiles: Profiles) -> frozenset[str]:
    """The words before values on a page: those of its site's profile, or of its recipe."""
    if isinstance(extracted, Comparison):
        profile = profiles[extracted.profile]
        named = (to_builtins(part).values() for part in (profile.card, profile.decision, profile.scorecard))
        return frozenset(word for words in named for word in words if isinstance(word, str))
    return frozenset(label for *_, anchor in _anchors(recipe) for label in anchor.labels)


def _anchors(recipe: Recipe | None) -> Iterator[tuple[str, str, Anchor]]:
    """Each field and row of a recipe: `tools`, `name` and where it stands."""
    tools, reviews = (None, None) if recipe is None else (recipe.tools, recipe.reviews)
    for kind, anchors in (
        ("tools", tools and tools.fields),
        ("rows", tools and tools.rows),
        ("reviews", reviews and reviews.fields),
    ):
        yield from ((kind, name, anchor) for name, anchor in (anchors or {}).items())


def _panel_values(page: Comparison) -> dict[str, list[str | None]]:
    """The values of cards, Decision and reviews by field: `cards.tagline`, `decisions.pricing`, `reviews.text`."""
    by_field: dict[str, list[str | None]] = {"title": [page.title]}
    for kind, records in (("cards", page.cards), ("decisions", page.decisions), ("reviews", page.takes)):
        read = [{**asdict(record), "span": None, "position": None, "row": None} for record in records]
        for name in read[0] if read else ():
            values = [record[name] for record in read]
            if any(value is not None for value in values):
                by_field[f"{kind}.{name}"] = values
    return by_field


def field_values(page: SideBySide) -> dict[str, list[str | None]]:
    """The values of each field in record order: `tools.price`, `rows.Seats`, `reviews.author`.

    Fields without a value are left out. Repeated attributes get a number: `rows.Good 2`.
    """
    by_field: dict[str, list[str | None]] = {}
    tools = [tool._asdict() for tool in choose_tools(page)[0]]
    reviews = [{name: getattr(review, name) for name in review.__dataclass_fields__} for review in page.reviews]
    for kind, records in (("tools", tools), ("reviews", reviews)):
        for name in records[0] if records else ():
            values = [record[name] for record in records]
            if any(value is not None for value in values):
                by_field[f"{kind}.{name}"] = [None if value is None else str(value) for value in values]
    numbers: Counter[str] = Counter()
    for facts in group_lines(page.facts).values():
        label, values_of_line = facts[0].label or "", {fact.tool: fact.value for fact in facts}
        numbers[label] += 1
        number = f" {numbers[label]}" if numbers[label] > 1 else ""
        by_field[f"rows.{label}{number}"] = [values_of_line.get(tool) for tool in range(len(tools))]
    by_field |= {f"rows.{question.question}": [question.answer] for question in page.questions}
    return by_field


@dataclass(frozen=True, slots=True)
class FieldCheck:
    """The expected and the actual values of a field on a page."""

    page: str
    field: str
    expected: Sequence[str | None]
    found: Sequence[str | None]

    @property
    def is_as_expected(self) -> bool:
        return self.expected == self.found


def check_page(page: RecipePage, recipe: Recipe) -> tuple[list[FieldCheck], Values]:
    """Compares every field that is expected or found on a page. Also returns all values found."""
    expected = page.expected.fields or {}
    values = list_values(read_with(page.html, page.expected.url, recipe))
    name = f"{recipe.host}/{page.folder.name}"
    return [
        FieldCheck(name, field, expected.get(field, []), values.get(field, [])) for field in {**expected, **values}
    ], values


def stale_fields(recipe: Recipe, newest: Values) -> list[str]:
    """Fields of the recipe that are empty on the newest page."""
    declared = [f"{kind}.{name}" for kind, name, _ in _anchors(recipe)]
    return [name for name in declared if not any(newest.get(name, ()))]


def first_recipe(host: str, html: bytes, url: str) -> str:
    """A draft of a recipe. Its records are the repeated elements that hold most of the text."""
    shapes = page_view(html, url, {}).shapes
    css = shapes[0][0] if shapes else "div.card"
    line = f"css = {json.dumps(css, ensure_ascii=False)}"
    template = Template(Path(__file__).with_name("recipe_template.toml").read_text(encoding="utf-8"))
    return template.substitute(host=host, css=line.ljust(28))
