"""`corrections/*.toml` in the data folder: decisions of people, each with who, when and why.

    [[take]]
    take = "5d0c…"          # ids: 32 hex digits
    tool = "91ab…"          # or no_tool = true
    by = "Ada"
    when = 2026-11-20T08:00:00Z
    why = "the page says so in its first line"

The tables are those of `CorrectionFile`. A file is read completely before any work. `add` writes an entry in one step.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Self

from msgspec.structs import replace
from pydantic import AfterValidator, BeforeValidator, StrictBool, StrictFloat, StrictInt, ValidationError
from pydantic import model_validator as checked

from verdicts.corpus.columns import Between, Column, Id, NotEmpty, SqlType
from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.corpus.text import TOML_LIMIT, BrokenDocument, parse_toml
from verdicts.fetch.given_files import read_file
from verdicts.normalize.corrections import BrokenCorrections, Correction, Value, corrections_of
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.sources.config_mistakes import in_words
from verdicts.pipeline.sources.config_sections import Section
from verdicts.warehouse.storage.durable import replace_text, sole_writer

WRITTEN = "corrections.toml"
"""The file that `verdicts correct` writes."""

_ID = re.compile(r"[0-9a-f]{32}")
_TYPES: Mapping[SqlType, tuple[type, ...]] = {
    "VARCHAR": (str,),
    "BIGINT": (int,),
    "DOUBLE": (float, int),
    "BOOLEAN": (bool,),
}
"""Types of columns whose values may be corrected."""

_EVIDENCE = frozenset(
    {"attribution", "confidence", "appearances", "host", "slug", "category_group", "seat_source", "vendor_evidence"}
)
"""Columns that follow from other rows, or have a correction of their own kind."""


def _id(text: str) -> str:
    if not _ID.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is not an id of 32 hex digits; 'verdicts show' prints it")
    return text


def _moment(given: object) -> object:
    if isinstance(given, datetime):
        if given.tzinfo is None:
            raise ValueError("the time has no zone; write 2026-11-20T08:00:00Z")
        return given.astimezone(UTC)
    return datetime.combine(given, time(), UTC) if isinstance(given, date) else given


def _words(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text.strip()


Words = Annotated[str, AfterValidator(_words)]
AnId = Annotated[str, AfterValidator(_id)]
AValue = str | StrictBool | StrictInt | StrictFloat


class Entry(Section):
    """What every decision says."""

    by: Words
    when: Annotated[datetime, BeforeValidator(_moment)]
    why: Words

    def correction(self) -> Correction:
        """The decision as normalization needs it."""
        raise NotImplementedError

    def _made(self, kind: Any, table: str, key: Sequence[tuple[str, Value]], column: str, value: Value) -> Correction:  # noqa: ANN401
        return Correction(kind, table, tuple(key), column, value, self.by, self.when, self.why)


class _Two(Entry):
    tool: AnId | None = None
    take: AnId | None = None

    @checked(mode="after")
    def _is_of_one_kind(self) -> Self:
        if (self.tool is None) == (self.take is None):
            raise ValueError("give either tool or take")
        return self

    def _of(self, kind: str, other: str) -> Correction:
        table, column = ("tools", "tool_id") if self.take is None else ("reviews", "review_id")
        own = self.take or self.tool or ""
        if own == other:
            raise ValueError(f"{own} is named twice; name two")
        first, second = sorted((own, other)) if kind == "different" else (own, other)
        return self._made(kind, table, [(column, first)], column, second)


class Same(_Two):
    """A tool or take goes into another, which keeps its id."""

    into: AnId

    def correction(self) -> Correction:
        return self._of("same", self.into)


class Different(_Two):
    """Two tools or takes are not one."""

    other: AnId

    def correction(self) -> Correction:
        return self._of("different", self.other)


class _OfTool(Entry):
    tool: AnId | None = None
    no_tool: bool = False

    @checked(mode="after")
    def _says_one(self) -> Self:
        if (self.tool is None) != self.no_tool:
            raise ValueError("give either tool or no_tool = true")
        return self


class Take(_OfTool):
    """A take is about another tool, or about none."""

    take: AnId

    def correction(self) -> Correction:
        return self._made("take", "reviews", [("review_id", self.take)], "tool_id", self.tool)


class Outside(_OfTool):
    """A tool that a page of another site names is a tool of the panel, or none of them."""

    url: Words
    name: Words

    def correction(self) -> Correction:
        return self._made(
            "outside", "product_candidates", [("url", self.url), ("name", self.name)], "tool_id", self.tool
        )


class Category(Entry):
    """A category belongs to a group."""

    category: Words
    group: Words

    def correction(self) -> Correction:
        return self._made("category", "tools", [("category", self.category)], "category_group", self.group)


class ValueOfRow(Entry):
    """A value of a row is another one. `row` has the key of the table.

    It may have more columns, as the person saw them. Without `was` there was no value; `absent`: there is none.
    """

    table: str
    row: dict[str, AValue]
    column: str
    was: AValue | None = None
    value: AValue | None = None
    absent: bool = False

    @checked(mode="after")
    def _fits(self) -> Self:
        if (self.value is None) != self.absent:
            raise ValueError("give either value or absent = true")
        correctable(self.table, self.column)
        declared = {column.name: column for column in TABLES[self.table].columns}
        if missing := [name for name in TABLES[self.table].key if name not in self.row]:
            raise ValueError(f"row lacks {', '.join(missing)}, of the key of {self.table}")
        for name, value in self.row.items():
            if name not in declared:
                raise ValueError(f"{self.table} has no column {name}")
            fitting(declared[name], value)
        for given in (self.value, self.was):
            fitting(declared[self.column], given)
        return self

    def correction(self) -> Correction:
        declared = {column.name: column for column in TABLES[self.table].columns}
        key = TABLES[self.table].key
        names = (*key, *sorted(self.row.keys() - {*key}))
        row = [(name, fitting(declared[name], self.row[name])) for name in names]
        column = declared[self.column]
        made = self._made("value", self.table, row, self.column, fitting(column, self.value))
        return replace(made, was=fitting(column, self.was))


class CorrectionFile(Section):
    """A file of `corrections/`."""

    same: tuple[Same, ...] = ()
    different: tuple[Different, ...] = ()
    take: tuple[Take, ...] = ()
    value: tuple[ValueOfRow, ...] = ()
    category: tuple[Category, ...] = ()
    outside: tuple[Outside, ...] = ()


@cache
def columns_to_correct(table: str) -> Sequence[str]:
    """The columns of a table whose values people may correct: neither ids nor what follows from other rows."""
    declared = TABLES.get(table)
    if declared is None or table not in CORPUS_TABLES or declared.schema not in {"main", "outside"}:
        return ()
    joined = " ".join(f"{' '.join(join.columns)} {join.where}" for join in declared.joined_references).split()
    return [
        column.name
        for column in declared.columns
        if column.type in _TYPES
        and not (column.references or column.retired_from or column.is_derived or isinstance(column.kind, Id))
        and column.name not in {*declared.key, *joined, *_EVIDENCE}
    ]


def correctable(table: str, column: str) -> None:
    """Raises ValueError if people may not correct the column."""
    tables = [name for name in CORPUS_TABLES if columns_to_correct(name) and name not in {"appearances"}]
    if table not in tables:
        raise ValueError(f"values of {table!r} are not corrected; the tables are {', '.join(tables)}")
    if column not in columns_to_correct(table):
        raise ValueError(
            f"{column!r} is not corrected; the columns of {table} are {', '.join(columns_to_correct(table))}"
        )


def fitting(column: Column, value: Value) -> Value:
    """The value as the column has it. Raises ValueError if it cannot have it."""
    if value is None:
        if not column.is_optional:
            raise ValueError(f"{column.name} always has a value")
        return None
    types = _TYPES.get(column.type, (str,))
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise ValueError(f"{column.name} is {column.type}, which {value!r} is not")
    if column.values is not None and value not in column.values:
        raise ValueError(f"{column.name} is one of {', '.join(column.values)}, not {value}")
    match column.kind:
        case Between(least, most) if not isinstance(value, str) and not (
            least <= value and (most is None or value <= most)
        ):
            raise ValueError(f"{column.name} is {least} {'or more' if most is None else f'to {most}'}, not {value}")
        case NotEmpty() if value == "":
            raise ValueError(f"{column.name} is never empty")
        case Id() if not _ID.fullmatch(str(value)):
            raise ValueError(f"{column.name} is an id of 32 hex digits, not {value}")
    return float(value) if column.type == "DOUBLE" else value


def read_corrections(folder: DataFolder, new: str = "") -> tuple[Correction, ...]:
    """All corrections of a data folder, and those of the text `new`, in no order.

    Raises `ConfigError` with file, entry and mistake.
    """
    found: dict[str, tuple[Path, Correction]] = {}
    for path in {*folder.corrections.glob("*.toml"), *([folder.corrections / WRITTEN] if new else [])}:
        text = _text(path)
        for one in _corrections(path, f"{text}\n{new}" if path.name == WRITTEN else text):
            found[one.id] = path, one
    every = tuple(sorted((one for _, one in found.values()), key=lambda one: one.id))
    try:
        corrections_of(every)
    except BrokenCorrections as broken:
        path, one = found[broken.correction.id]
        raise ConfigError(f"{path}: [[{one.kind}]] of {one.made_on:%Y-%m-%d} by {one.by}: {broken}") from None
    return every


def _text(path: Path) -> str:
    try:
        return read_file(path, TOML_LIMIT).decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: it is not in UTF-8; save it as UTF-8") from None
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error


def _corrections(path: Path, text: str) -> Iterator[Correction]:
    try:
        file = CorrectionFile.model_validate(parse_toml(text, path))
        yield from (entry.correction() for name in CorrectionFile.model_fields for entry in getattr(file, name))
    except BrokenDocument as error:
        raise ConfigError(str(error)) from None
    except ValidationError as error:
        raise ConfigError(in_words(path, text, error.errors(), CorrectionFile)) from None
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None


def add(folder: DataFolder, kind: str, entry: Mapping[str, object]) -> Correction:
    """Adds an entry to the file that `verdicts correct` writes, in one step. Returns the correction.

    Raises `ConfigError` for what is broken in the entry or in any file; then nothing is written.
    """
    lines = [f"[[{kind}]]", *(f"{name} = {_toml(value)}" for name, value in entry.items() if value is not None)]
    written = "\n".join(lines) + "\n"
    (made,) = _corrections(Path("the entry"), written)
    folder.corrections.mkdir(parents=True, exist_ok=True)
    with sole_writer(folder.corrections):
        if made.id not in {one.id for one in read_corrections(folder)}:
            read_corrections(folder, written)
            path = folder.corrections / WRITTEN
            before = _text(path)
            replace_text(path, f"{before.rstrip()}\n\n{written}".lstrip())
    return made


def _toml(value: object) -> str:
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%dT%H:%M:%SZ}"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {_toml(of_name)}" for name, of_name in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
