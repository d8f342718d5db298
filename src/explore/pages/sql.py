"""`/sql?q=`: any SELECT of the visitor; the address is the question. `/sql.csv?q=` is its answer as CSV."""

from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from verdicts.explore.asking import Asked, ask
from verdicts.explore.figures.bars import ROWS_MAX as BARS_MAX
from verdicts.explore.figures.bars import Bars, bars_of
from verdicts.explore.pages.visit import Download, View, Visit
from verdicts.explore.rendering import ABSENT, is_numeric
from verdicts.explore.sql_cell.answering import SECONDS_MAX, CellAnswer, CellBusy
from verdicts.warehouse.serving.answer_text import csv_pieces
from verdicts.warehouse.serving.query import Answer
from verdicts.warehouse.storage.errors import QuestionFailed

ROWS_MAX = 1_000
"""Rows of an answer that are shown."""

CELL_CHARS = 2_000
"""Characters of a value that are shown."""

CSV_ROWS_MAX, CSV_CELL_CHARS = 100_000, 1_000_000
"""Of a file: more is a matter of `verdicts sql`."""

RELATIONS_MAX = 3_000
"""Columns of all tables and views; there are some 500."""

EXAMPLE = """SELECT category_group, round(avg(score), 1) AS mean, count(*) AS takes
FROM scored_takes
GROUP BY 1
ORDER BY 2 DESC"""


def page(visit: Visit) -> View:
    """An error stands on the page, below the question that led to it. Raises Refused."""
    visit.refuse_others()
    sql = visit.values.get("q")
    shown: dict[str, Any] = {
        "sql": sql,
        "example": EXAMPLE,
        "rows_max": ROWS_MAX,
        "seconds_max": SECONDS_MAX,
        "relations": _relations(ask(visit.copy, "relations", {}, RELATIONS_MAX)),
        "answer": None,
        "error": None,
    }
    if sql is None:
        return View("sql", shown)
    try:
        answer = visit.cell.ask(visit.copy.path, sql, rows_max=ROWS_MAX, cell_chars=CELL_CHARS)
    except QuestionFailed as error:
        return View("sql", {**shown, "error": str(error)}, 503 if isinstance(error, CellBusy) else 400)
    rows = [_values(answer, row) for row in answer.rows]
    told = {
        "answer": answer,
        "rows": [tuple(map(_cut, row)) for row in rows],
        "picture": _bars(answer, rows),
        "csv": f"/sql.csv?{urlencode({'q': sql})}",
    }
    return View("sql", {**shown, **told})


def csv(visit: Visit) -> Download:
    """Raises Refused, QuestionFailed."""
    visit.refuse_others()
    answer = visit.cell.ask(
        visit.copy.path, visit.values.get("q", ""), rows_max=CSV_ROWS_MAX, cell_chars=CSV_CELL_CHARS
    )
    if answer.is_cut:
        raise QuestionFailed(f"the answer has more than {CSV_ROWS_MAX:,} rows; 'verdicts sql --format csv' writes all")
    # Numbers come as texts: as such they would be quoted where they are negative.
    rows = [_values(answer, row) for row in answer.rows]
    types = tuple("VARCHAR" for _ in answer.types)
    return Download("answer.csv", "text/csv", csv_pieces([Answer(answer.columns, types, rows)], is_safe=True))


def _values(answer: CellAnswer, row: tuple[str | None, ...]) -> tuple[Any, ...]:
    """Numbers as such, exact; all else as the text that DuckDB makes of it."""
    return tuple(
        Decimal(text) if text is not None and is_numeric(type_) else text
        for type_, text in zip(answer.types, row, strict=True)
    )


def _cut(value: Decimal | str | None) -> Decimal | str | None:
    return f"{value[:CELL_CHARS]}…" if isinstance(value, str) and len(value) > CELL_CHARS else value


def _bars(answer: CellAnswer, rows: list[tuple[Any, ...]]) -> tuple[str, Bars] | None:
    """The first text and the first number of two rows or more; None where there are none, or too many rows."""
    label = next((place for place, type_ in enumerate(answer.types) if type_ == "VARCHAR"), None)
    value = next((place for place, type_ in enumerate(answer.types) if is_numeric(type_)), None)
    if label is None or value is None or not 1 < len(rows) <= BARS_MAX:
        return None
    told = [((str(row[label] or ABSENT),), float(row[value])) for row in rows if row[value] is not None]
    is_drawn = told and all(0 <= number < float("inf") for _, number in told)
    return (answer.columns[value], bars_of(told)) if is_drawn else None


def _relations(asked: Asked) -> dict[str, list[dict[str, Any]]]:
    """Columns by table or view."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in asked.rows:
        found.setdefault(row["relation"], []).append(row)
    return found
