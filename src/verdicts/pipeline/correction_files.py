"""`corrections/*.toml` in the data folder: decisions of people, each with who, when and why.

`CorrectionFile` has the tables of a file, which is read completely before any work. `add` writes an entry in one step.
"""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from msgspec.structs import replace
from pydantic import (
    AfterValidator,
    AwareDatetime,
    Field,
    FiniteFloat,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)
from pydantic import model_validator as checked

from verdicts.corpus.columns import Between, Column, Id, NotEmpty, SqlType
from verdicts.corpus.declare import Table
from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.corpus.text import TOML_LIMIT, BrokenDocument, parse_toml
from verdicts.fetch.input_files import read_file
from verdicts.normalize.corrections import Correction, Value, collect_corrections
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.pipeline_errors import ConfigError
from verdicts.pipeline.sources.config_mistakes import describe_mistakes
from verdicts.pipeline.sources.config_sections import Section
from verdicts.warehouse.storage.durable import replace_text, sole_writer

WRITTEN = "corrections.toml"
"""The file that `verdicts correct` writes."""

_ID = re.compile("[0-9a-f]{32}")
_TYPES: Mapping[SqlType, Any] = {"VARCHAR": str, "BIGINT": int, "DOUBLE": FiniteFloat, "BOOLEAN": bool}
"""Types of columns whose values may be corrected."""

_EVIDENCE = frozenset(
    {"attribution", "confidence", "appearances", "host", "slug", "category_group", "reviewer_source", "vendor_evidence"}
)
"""Columns that follow from other rows, or have a correction of their own kind."""


def _check_id(text: str) -> str:
    if not _ID.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is not an id of 32 hex digits; 'verdicts show' prints it")
    return text


Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
AnId = Annotated[str, AfterValidator(_check_id)]


class Entry(Section):
    """The fields of every decision."""

    by: Words
    when: AwareDatetime
    why: Words

    @checked(mode="after")
    def _check_correction(self) -> Self:
        self.correction()
        return self

    def correction(self) -> Correction:
        """The decision as normalization needs it. Raises ValueError if it makes no sense."""
        raise NotImplementedError

    def _make(self, kind: Any, table: str, key: Sequence[tuple[str, Value]], column: str, value: Value) -> Correction:  # noqa: ANN401
        return Correction(kind, table, tuple(key), column, value, self.by, self.when.astimezone(UTC), self.why)


class _Pair(Entry):
    tool: AnId | None = None
    review: AnId | None = None

    def _make_pair(self, kind: str, other_id: str) -> Correction:
        table, column = ("tools", "tool_id") if self.review is None else ("reviews", "review_id")
        first_id = self.review or self.tool
        if first_id is None or (self.review and self.tool):
            raise ValueError("give either tool or review")
        if first_id == other_id:
            raise ValueError(f"{first_id} is named twice; name two")
        first, second = sorted((first_id, other_id)) if kind == "different" else (first_id, other_id)
        return self._make(kind, table, [(column, first)], column, second)


class Same(_Pair):
    """A tool or review goes into another, which keeps its id."""

    into: AnId

    def correction(self) -> Correction:
        return self._make_pair("same", self.into)


class Different(_Pair):
    """Two tools or reviews are not one."""

    other: AnId

    def correction(self) -> Correction:
        return self._make_pair("different", self.other)


class _ToolDecision(Entry):
    tool: AnId | None = None
    no_tool: bool = False

    def _make_for_tool(self, kind: str, table: str, **key: str) -> Correction:
        if (self.tool is None) != self.no_tool:
            raise ValueError("either name a tool or say that there is none (no_tool)")
        return self._make(kind, table, [*key.items()], "tool_id", self.tool)


class Review(_ToolDecision):
    """A review is about another tool, or about no tool."""

    review: AnId

    def correction(self) -> Correction:
        return self._make_for_tool("review", "reviews", review_id=self.review)


class Outside(_ToolDecision):
    """A tool on a page of another site is this tool of the panel, or none of the panel."""

    url: Words
    name: Words

    def correction(self) -> Correction:
        return self._make_for_tool("outside", "product_candidates", url=self.url, name=self.name)


class Category(Entry):
    """A category belongs to a group."""

    category: Words
    group: Words

    def correction(self) -> Correction:
        return self._make("category", "tools", [("category", self.category)], "category_group", self.group)


class ValueOfRow(Entry):
    """A row has another value. `row` has its key, and may have more columns as the person saw them.

    Without `was` there was no value; `absent`: there is no value now. A value may be given as text.
    """

    table: str
    row: dict[str, Value]
    column: str
    was: Value = None
    value: Value = None
    absent: bool = False

    def correction(self) -> Correction:
        if (self.value is None) != self.absent:
            raise ValueError("either give a value or say that there is none (absent)")
        if self.column not in (columns := list_correctable_columns(self.table)):
            raise ValueError(f"{self.column!r} is not corrected; the columns of {self.table} are {', '.join(columns)}")
        declared, key = {column.name: column for column in TABLES[self.table].columns}, TABLES[self.table].key
        if missing := [name for name in key if name not in self.row]:
            raise ValueError(f"row lacks {', '.join(missing)}, of the key of {self.table}")
        if unknown := self.row.keys() - declared.keys():
            raise ValueError(f"{self.table} has no column {min(unknown)}")
        row = [
            (name, convert_value(declared[name], self.row[name])) for name in (*key, *sorted(self.row.keys() - {*key}))
        ]
        was, value = (convert_value(declared[self.column], value) for value in (self.was, self.value))
        return replace(self._make("value", self.table, row, self.column, value), was=was)


class CorrectionFile(Section):
    """A file of `corrections/`."""

    same: tuple[Same, ...] = ()
    different: tuple[Different, ...] = ()
    review: tuple[Review, ...] = ()
    value: tuple[ValueOfRow, ...] = ()
    category: tuple[Category, ...] = ()
    outside: tuple[Outside, ...] = ()


@cache
def list_correctable_columns(table: str) -> Sequence[str]:
    """Columns that neither hold ids nor follow from other rows. Raises ValueError for a table without them."""
    declared = [TABLES[name] for name in CORPUS_TABLES if TABLES[name].schema in {"main", "outside"}]
    by_table = {table.name: _list_columns(table) for table in declared}
    tables = [name for name, columns in by_table.items() if columns and name != "appearances"]
    if table not in tables:
        raise ValueError(f"values of {table!r} are not corrected; the tables are {', '.join(tables)}")
    return by_table[table]


def _list_columns(table: Table) -> Sequence[str]:
    joined = " ".join(f"{' '.join(join.columns)} {join.where}" for join in table.joined_references).split()
    return [
        column.name
        for column in table.columns
        if column.type in _TYPES
        and not (column.references or column.retired_from or column.is_derived or isinstance(column.kind, Id))
        and column.name not in {*table.key, *joined, *_EVIDENCE}
    ]


def convert_value(column: Column, value: Value) -> Value:
    """Converts a value, or its text, to the type of a column. Raises ValueError if it does not fit."""
    if value is None:
        if not column.is_optional:
            raise ValueError(f"{column.name} always has a value")
        return None
    kind: Any = Literal[column.values] if column.values else _TYPES[column.type]
    match column.kind:
        case Between(least, most):
            kind = Annotated[kind, Field(ge=least, le=most)]
        case NotEmpty():
            kind = Annotated[kind, Field(min_length=1)]
        case Id():
            kind = AnId
    try:
        fits: Value = TypeAdapter(kind).validate_strings(str(value))
    except ValidationError as error:
        raise ValueError(f"{column.name}: {error.errors()[0]['msg']}, not {value!r}") from None
    return fits


def read_corrections(folder: DataFolder) -> tuple[Correction, ...]:
    """All corrections of a data folder, in no order. Raises `ConfigError` with file, entry and mistake."""
    by_id = {correction.id: correction for path in folder.corrections.glob("*.toml") for correction in _read(path)[1]}
    return tuple(by_id[id_] for id_ in sorted(by_id))


def _read(path: Path, added: str = "") -> tuple[str, list[Correction]]:
    """What a file says with these lines at its end, and its corrections."""
    content = added.encode()
    try:
        if path.exists():
            content = read_file(path, TOML_LIMIT) + content
        return content.decode("utf-8-sig", "replace"), _read_entries(parse_toml(content, path))
    except BrokenDocument as error:
        raise ConfigError(str(error)) from None
    except ValidationError as error:
        raise ConfigError(
            describe_mistakes(path, content.decode("utf-8-sig"), error.errors(), CorrectionFile)
        ) from None
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error


def _read_entries(entries: Mapping[str, object]) -> list[Correction]:
    file = CorrectionFile.model_validate(entries)
    return [entry.correction() for name in CorrectionFile.model_fields for entry in getattr(file, name)]


def add(folder: DataFolder, kind: str, entry: Mapping[str, object]) -> Correction:
    """Adds an entry to the file that `verdicts correct` writes, in one step. Returns the correction.

    Raises `ConfigError`, and writes nothing, if the entry or a file has a mistake, or if another entry decides the
    same.
    """
    fields = {name: value for name, value in entry.items() if value is not None}
    try:
        (made,) = _read_entries({kind: [fields]})
    except ValidationError as error:
        raise ConfigError("; ".join(each["msg"].removeprefix("Value error, ") for each in error.errors())) from None
    written = "\n".join([f"\n[[{kind}]]", *(f"{name} = {_write_value(value)}" for name, value in fields.items()), ""])
    folder.corrections.mkdir(parents=True, exist_ok=True)
    with sole_writer(folder.corrections):
        noted = {correction.id: correction for correction in read_corrections(folder)}
        if made.id in noted:
            return made
        against = collect_corrections((*noted.values(), made)).contradicting.get(made.id, ())
        hiding = (earlier for earlier in noted.values() if _hides(earlier, made))
        for earlier in (*map(noted.__getitem__, against), *hiding):
            raise ConfigError(
                f"correction {earlier.id[:12]} of {earlier.by}, [[{earlier.kind}]], already decides this; delete it"
                f" from {folder.corrections} first, and build"
            )
        path = folder.corrections / WRITTEN
        text, _ = _read(path, written)
        replace_text(path, text.lstrip())
    return made


def _hides(earlier: Correction, made: Correction) -> bool:
    """Whether the value that a person saw is that of a correction: what the pages say does not show."""
    rows = {(each.kind, each.table, each.column, each.key[: len(TABLES[each.table].key)]) for each in (earlier, made)}
    return made.kind == "value" and len(rows) == 1 and earlier.value == made.was


def _write_value(value: object) -> str:
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%dT%H:%M:%SZ}"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {_write_value(of_name)}" for name, of_name in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
