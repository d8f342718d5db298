"""The only way from a page to the corpus: a named question, its values, and the answer by column name."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from verdicts.explore.copies import Copy
from verdicts.warehouse.serving.answer_text import csv_pieces
from verdicts.warehouse.serving.named_queries import Query, query_named
from verdicts.warehouse.serving.query import (
    BATCH,
    Answer,
    batches_of,
    named_question,
    question_errors,
    question_of,
    questions_of_ours,
)
from verdicts.warehouse.storage.connection import storage_errors

ROWS_MAX = 500
"""Rows of an answer that a page holds; its CSV has them all."""

Value = str | int | float | None

_ID = re.compile("[0-9a-f]{32}")
"""A tool that is named by its whole id, as pages do, need not be found."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was asked, with what, and its rows by column name; `is_cut`: there are more than these."""

    query: Query
    values: dict[str, str]
    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[dict[str, Any]]
    is_cut: bool

    @property
    def first(self) -> dict[str, Any] | None:
        """The first row, of a question that has one."""
        return self.rows[0] if self.rows else None

    @property
    def address(self) -> str:
        """Where the question stands with its form, its picture and its table."""
        return f"/questions/{self.query.name}{self._parameters}"

    @property
    def csv(self) -> str:
        """Where the answer is to be had as CSV."""
        return f"/questions/{self.query.name}.csv{self._parameters}"

    @property
    def _parameters(self) -> str:
        return f"?{urlencode(self.values)}" if self.values else ""


def ask(copy: Copy, name: str, values: Mapping[str, Value], rows_max: int = ROWS_MAX) -> Asked:
    """The answer of the question `name`; a value of None is not given.

    Raises QuestionFailed, CopyOutdated, WarehouseBroken.
    """
    query = query_named(name)
    given = {parameter: str(value) for parameter, value in values.items() if value is not None}
    answer = next(_batches(copy, query, given, rows_max + 1))
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows[:rows_max]]
    return Asked(query, given, answer.columns, answer.types, rows, len(answer.rows) > rows_max)


def csv_of(copy: Copy, name: str, given: dict[str, str]) -> Iterator[str]:
    """The whole answer as CSV, piece by piece; no cell of it is taken for a formula. Raises QuestionFailed."""
    return csv_pieces(_batches(copy, query_named(name), given, BATCH), is_safe=True)


def _batches(copy: Copy, query: Query, given: dict[str, str], size: int) -> Iterator[Answer]:
    with storage_errors(copy.path), question_errors(copy.path), questions_of_ours(copy.connection, copy.path):
        if _ID.fullmatch(given.get("tool", "")):
            question = question_of(copy.connection, query.sql, query.bound(given))
        else:
            question = named_question(copy.connection, query, given)
        yield from batches_of(question, size)
