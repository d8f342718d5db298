"""The input and output of a page; a page reaches the corpus only by named questions."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, urlencode

from starlette.responses import RedirectResponse

from verdicts.explore.copies import Copy
from verdicts.inspection.explanation import Explanation
from verdicts.warehouse.serving.answer_text import csv_pieces, json_pieces, json_text
from verdicts.warehouse.serving.name_lookup import WHOLE_ID
from verdicts.warehouse.serving.named_queries import Query, query_named
from verdicts.warehouse.serving.query import (
    BATCH,
    Answer,
    make_question,
    question_errors,
    read_batches,
    translate_own_errors,
)
from verdicts.warehouse.serving.question_answers import make_named_question, question_changes
from verdicts.warehouse.storage.connection import storage_errors
from verdicts.warehouse.storage.warehouse_errors import QuestionFailed

ROWS_MAX = 1_000
"""The most rows of an answer on a page; its CSV has all."""

Value = str | int | float | None


@dataclass(frozen=True, slots=True)
class QuestionAnswer:
    """A question with its values, and its rows by column name; `is_cut`: there are more."""

    query: Query
    values: dict[str, str]
    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[dict[str, Any]]
    is_cut: bool

    @property
    def first(self) -> dict[str, Any] | None:
        """The first row, for a question that always has one."""
        return self.rows[0] if self.rows else None

    @property
    def address(self) -> str:
        """The page of the question with its form, its picture and its table."""
        return address(f"/questions/{self.query.name}", self.values)

    @property
    def csv(self) -> str:
        return address(f"/questions/{self.query.name}.csv", self.values)

    @property
    def json(self) -> str:
        return address(f"/questions/{self.query.name}.json", self.values)


def ask(copy: Copy, name: str, values: Mapping[str, Value], rows_max: int = ROWS_MAX) -> QuestionAnswer:
    """The answer of the question `name`; values of None are left out.

    Raises QuestionFailed, CopyOutdated, WarehouseBroken.
    """
    query = query_named(name)
    given = {parameter: str(value) for parameter, value in values.items() if value is not None}
    answer = next(_batches(copy, query, given, rows_max + 1))
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows[:rows_max]]
    return QuestionAnswer(query, given, answer.columns, answer.types, rows, len(answer.rows) > rows_max)


def describe_columns(copy: Copy, query: Query) -> list[tuple[str, str]]:
    """Name and DuckDB type of each column of an answer, without answering. Raises CopyOutdated."""
    with _errors(copy):
        columns = copy.connection.execute(f"DESCRIBE ({query.sql}\n)", query.bind({}) or None).fetchall()
    return [(name, type_) for name, type_, *_ in columns]


def write_csv(copy: Copy, name: str, given: dict[str, str]) -> Iterator[str]:
    """The whole answer as CSV, piece by piece; cells cannot act as formulas. Raises QuestionFailed."""
    return csv_pieces(_batches(copy, query_named(name), given, BATCH), is_safe=True)


def write_changes(copy: Copy, since: str) -> Iterator[str]:
    """Each row that changed after the load `since`, as JSON, piece by piece. Raises ChangesNotKept."""
    with _errors(copy), question_changes(copy.connection, since) as question:
        yield from json_pieces(read_batches(question))


@contextmanager
def _errors(copy: Copy) -> Iterator[None]:
    with storage_errors(copy.path), question_errors(copy.path), translate_own_errors(copy.connection, copy.path):
        yield


def _batches(copy: Copy, query: Query, given: dict[str, str], size: int) -> Iterator[Answer]:
    with _errors(copy):
        if WHOLE_ID.fullmatch(given.get("tool", "")) and given.keys() == {"tool"}:
            question = make_question(copy.connection, query.sql, query.bind(given))
        else:
            question = make_named_question(copy.connection, query, given)
        yield from read_batches(question, size)


class Refused(Exception):
    """A request that is never answered; the message says why."""


class NotThere(Exception):
    """An address without a record; the message says what was searched."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One request: the copy it reads, the raw store, the parts of its path, and its non-empty parameters.

    `is_json`: its path ends with `.json`. `is_from_elsewhere`: a page of another origin led or sent the browser here.
    `token` is that of forms that note decisions; None: nothing is edited. `explain` says why an address was fetched or
    not; None for an unknown address.
    """

    copy: Copy
    raw: Path
    path: Mapping[str, str]
    values: Mapping[str, str]
    is_json: bool
    is_from_elsewhere: bool
    token: str | None = None
    explain: Callable[[str], Explanation | None] = lambda _: None

    def ask(self, name: str, /, **values: Value) -> QuestionAnswer:
        """Raises QuestionFailed."""
        return ask(self.copy, name, values)

    def parts(self, parts: Mapping[str, str], /, **values: Value) -> dict[str, QuestionAnswer]:
        """The parts of a page by their questions, such as `top_tools?limit=8`.

        Each takes those of `values` that are its parameters. Raises QuestionFailed.
        """
        answers = {}
        for part, question in parts.items():
            name, _, given = question.partition("?")
            parameters = {parameter.name for parameter in query_named(name).parameters}
            taken = {parameter: value for parameter, value in values.items() if parameter in parameters}
            answers[part] = self.ask(name, **dict(parse_qsl(given)), **taken)
        return answers

    def window(self) -> tuple[int, int]:
        """The limit and the offset of a long table. Raises QuestionFailed."""
        limit, offset = (bound.parse(self.values.get(name)) for name, bound in WINDOW.items())
        return limit, offset

    def refuse_others(self) -> None:
        """Raises Refused: another origin may not make a browser run slow requests or save a file."""
        if self.is_from_elsewhere:
            raise Refused("A page of another site led here; type the address yourself, or start from the first page.")


JSON_VALUES = ("rows", "next", "total", "is_cut", "questions", "why")
"""Names of values that the JSON of a view has beside its answers."""


class View:
    """A template with its values; `status` is that of HTTP."""

    def __init__(self, template: str, status: int = 200, /, **values: object) -> None:
        self.template = template
        self.status = status
        self.values = values

    @property
    def document(self) -> str:
        """The answers as JSON under the names that they have here, and the address of each; or the error."""
        if "document" in self.values:
            return json_text(self.values["document"])
        if "error" in self.values:
            return json_text({"error": self.values["error"]})
        groups = [value for value in self.values.values() if isinstance(value, dict)]
        pairs = [pair for group in (self.values, *groups) for pair in group.items()]
        answers_by_name = {name: value for name, value in pairs if isinstance(value, QuestionAnswer)}
        values = {name: self.values[name] for name in JSON_VALUES if name in self.values}
        answers = {name: answer.json for name, answer in answers_by_name.items()}
        return json_text(
            values | {name: answer.rows for name, answer in answers_by_name.items()} | {"answers": answers}
        )


@dataclass(frozen=True, slots=True)
class Download:
    """A file to save under a name, piece by piece."""

    filename: str
    media_type: str
    pieces: Iterator[str]


def address(path: str, values: Mapping[str, str] | Mapping[str, str | None]) -> str:
    """A link to a page with these parameters, without those that are None."""
    given = {name: value for name, value in values.items() if value is not None}
    return f"{path}?{urlencode(given)}" if given else path


@dataclass(frozen=True, slots=True)
class Bound:
    """A whole number that an address may give. `usual`: without it."""

    least: int
    most: int
    usual: int

    def parse(self, text: str | None) -> int:
        """Raises QuestionFailed."""
        if text is None:
            return self.usual
        if text.isascii() and text.isdecimal() and len(text) < 10 and self.least <= int(text) <= self.most:
            return int(text)
        raise QuestionFailed(f"{text} is not a whole number from {self.least} to {self.most:,}")


WINDOW: Mapping[str, Bound] = MappingProxyType({"limit": Bound(1, ROWS_MAX, 50), "offset": Bound(0, 100_000_000, 0)})
"""The rows of a page of a list, or of an answer as JSON: the most rows, and the first one."""


Page: TypeAlias = Callable[[Visit], View | Download | RedirectResponse]


@dataclass(frozen=True, slots=True)
class PagePath:
    """A path, its page, and what that shows. The stem with `.json` has the same answers, with `.csv` those of `csv`.

    `parameters`: name to the question that it narrows. `parts`: name of each part to its question.
    """

    path: str
    page: Page
    meaning: str
    csv: Page | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)

    @property
    def stem(self) -> str:
        return "/index" if self.path == "/" else self.path
