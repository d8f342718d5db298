"""Pages for any question: the named ones, and a visitor's SELECT."""

from dataclasses import replace
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from starlette.responses import RedirectResponse

from verdicts.explore.figures.answer_charts import ROWS_MAX as BARS_MAX
from verdicts.explore.figures.answer_charts import draw_answer
from verdicts.explore.sql_cell import SECONDS_MAX, CellAnswer, ask_select
from verdicts.explore.visit import (
    Download,
    NotThere,
    QuestionAnswer,
    View,
    Visit,
    address,
    ask,
    write_changes,
    write_csv,
)
from verdicts.warehouse.serving.answer_text import csv_pieces, is_number
from verdicts.warehouse.serving.named_queries import MAIN_QUESTIONS, TOPICS, Query, list_queries, queries_by_topic
from verdicts.warehouse.serving.query import Answer, distinct
from verdicts.warehouse.serving.question_answers import why_empty
from verdicts.warehouse.storage.warehouse_errors import QuestionFailed

QUESTION_ROWS = 200
"""Rows of an answer on the page of a named question."""

ROWS_MAX = 1_000
"""Rows shown of an answer."""

CELL_CHARS = 2_000
"""Characters shown of a value."""

CSV_ROWS_MAX, CSV_CELL_CHARS = 100_000, 1_000_000
"""The limits of a CSV file; `verdicts sql` has none."""

RELATIONS_MAX = 3_000
"""Columns of all tables and views; there are some 500."""

EXAMPLE = """SELECT category_group, round(avg(score), 1) AS mean, count(*) AS reviews
FROM scored_reviews
GROUP BY 1
ORDER BY 2 DESC"""


def index(visit: Visit) -> View:
    """`/questions`: the named questions by topic, those that are asked first above all others."""
    listed = [
        {
            "name": query.name,
            "topic": query.topic,
            "is_main": query.name in MAIN_QUESTIONS,
            "question": query.question,
            "parameters": [
                {"name": parameter.name, "usual": parameter.default, "meaning": parameter.meaning}
                for parameter in query.parameters
            ],
            "address": f"/questions/{query.name}.json",
        }
        for query in list_queries()
    ]
    topics = queries_by_topic(has_panel=visit.copy.has_panel)
    return View("questions", topics=topics, main=MAIN_QUESTIONS, headings=TOPICS, questions=listed)


def question(visit: Visit) -> View:
    """`/questions/NAME`: a question with its form, its picture and its table."""
    query = _find_question(visit)
    if visit.is_json:
        return _window(visit, query)
    answer = ask(visit.copy, query.name, visit.values, QUESTION_ROWS)
    lack = None if answer.rows else why_empty(visit.copy.connection, query)
    picture = draw_answer(query.picture, answer.rows)
    drawn_most = BARS_MAX if query.picture.kind in ("bars", "strip") else QUESTION_ROWS
    words = {"heading": TOPICS[query.topic], "lack": lack, "drawn_most": drawn_most}
    return View("question", asked=answer, query=query, picture=picture, **words)


def _window(visit: Visit, query: Query) -> View:
    """`/questions/NAME.json?limit=&offset=`: some rows of an answer, and the address of those that follow."""
    limit, offset = visit.window()
    answer = ask(visit.copy, query.name, {**visit.values, "limit": limit + 1, "offset": offset}, limit)
    here = replace(answer, values=dict(visit.values))
    after = replace(here, values=here.values | {"offset": str(offset + limit)})
    return View("question", rows=here, next=after.json if answer.is_cut else None)


def question_csv(visit: Visit) -> Download:
    """`/questions/NAME.csv`: its answer. Raises Refused, QuestionFailed."""
    visit.refuse_others()
    query = _find_question(visit)
    return Download(f"{query.name}.csv", "text/csv", write_csv(visit.copy, query.name, dict(visit.values)))


def _find_question(visit: Visit) -> Query:
    name = visit.path["name"]
    for query in list_queries():
        if query.name == name:
            return query
    raise NotThere(f"No question is called {name}.")


def feed(visit: Visit) -> Download | RedirectResponse:
    """`/feed.json?since=`: each row that changed after a load. Raises Refused, QuestionFailed, ChangesNotKept."""
    visit.refuse_others()
    if not visit.is_json:
        return RedirectResponse(address("/feed.json", visit.values))
    since = visit.values.get("since")
    if since is None:
        raise QuestionFailed("there is no load: give that of your copy as 'since', an id of ops.loads")
    return Download("changes.json", "application/json", write_changes(visit.copy, since))


def sql(visit: Visit) -> View:
    """`/sql?q=`: any SELECT of the visitor; the address holds the question.

    The page shows an error below the question. Raises Refused.
    """
    visit.refuse_others()
    select = visit.values.get("q")
    if select is None and visit.is_json:
        raise QuestionFailed("there is no question: give a SELECT as 'q'")
    values: dict[str, Any] = {
        "sql": select,
        "example": EXAMPLE,
        "rows_max": ROWS_MAX,
        "seconds_max": SECONDS_MAX,
        "relations": _relations(ask(visit.copy, "relations", {}, RELATIONS_MAX)),
    }
    if select is None:
        return View("sql", **values)
    try:
        answer = ask_select(visit.copy.path, select, rows_max=ROWS_MAX, cell_chars=CELL_CHARS)
    except QuestionFailed as error:
        return View("sql", 400, **values, error=str(error))
    rows = [_values(answer, row) for row in answer.rows]
    if visit.is_json:
        records = [dict(zip(distinct(answer.columns), map(_finite, row), strict=True)) for row in rows]
        return View("sql", rows=records, is_cut=answer.is_cut, next=None)
    return View(
        "sql",
        **values,
        answer=answer,
        rows=[tuple(map(_cut, row)) for row in rows],
        csv=f"/sql.csv?{urlencode({'q': select})}",
    )


def sql_csv(visit: Visit) -> Download:
    """`/sql.csv?q=`: the answer as CSV. Raises Refused, QuestionFailed."""
    visit.refuse_others()
    answer = ask_select(visit.copy.path, visit.values.get("q", ""), rows_max=CSV_ROWS_MAX, cell_chars=CSV_CELL_CHARS)
    if answer.is_cut:
        raise QuestionFailed(f"the answer has more than {CSV_ROWS_MAX:,} rows; 'verdicts sql --format csv' writes all")
    # Numbers arrive as texts; a negative one would be quoted.
    rows = [_values(answer, row) for row in answer.rows]
    types = tuple("VARCHAR" for _ in answer.types)
    return Download("answer.csv", "text/csv", csv_pieces([Answer(answer.columns, types, rows)], is_safe=True))


def _values(answer: CellAnswer, row: tuple[str | None, ...]) -> tuple[Any, ...]:
    """Numbers stay exact; every other value is DuckDB's text."""
    return tuple(
        Decimal(text) if text is not None and is_number(type_) else text
        for type_, text in zip(answer.types, row, strict=True)
    )


def _finite(value: Decimal | str | None) -> Decimal | str | None:
    """JSON has no NaN and no infinity."""
    return None if isinstance(value, Decimal) and not value.is_finite() else value


def _cut(value: Decimal | str | None) -> Decimal | str | None:
    return f"{value[:CELL_CHARS]}…" if isinstance(value, str) and len(value) > CELL_CHARS else value


def _relations(answer: QuestionAnswer) -> dict[str, list[dict[str, Any]]]:
    by_relation: dict[str, list[dict[str, Any]]] = {}
    for row in answer.rows:
        by_relation.setdefault(row["relation"], []).append(row)
    return by_relation
