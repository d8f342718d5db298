"""Questions as people ask them: a named one with its values, and a search for words."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from duckdb import DuckDBPyConnection, InvalidInputException

from verdicts.warehouse.serving.name_lookup import FIND_RECORD, no_page, values_meant
from verdicts.warehouse.serving.named_queries import NEEDS, PANEL_TOPICS, Query, query_named
from verdicts.warehouse.serving.query import (
    Question,
    make_question,
    open_for_questions,
    read_answer,
    translate_own_errors,
)
from verdicts.warehouse.storage.connection import first_line
from verdicts.warehouse.storage.sql_files import read_sql
from verdicts.warehouse.storage.warehouse_errors import ChangesNotKept, QuestionFailed

SEARCH = """
SELECT kind, name, text, reviewer, score, verdict, round(relevance, 2) AS relevance, id
FROM search($words, most := $limit)
UNION ALL
SELECT
    CASE WHEN name IS NULL THEN 'page' ELSE 'mention' END,
    coalesce(name, title),
    concat_ws(', ', 'number ' || rank, price, title, address),
    NULL,
    NULL,
    NULL,
    NULL,
    page_id
FROM ({mentions})
"""

NOTHING_FOUND = 'nothing found for "{}"'

_NAMES_A_RECORD = re.compile(r"/|\bvs\b|^[0-9a-f]{6,32}$", re.IGNORECASE)
"""An address, a path, the title of a page or an id. For other words FIND_RECORD is not asked, which takes 15 ms."""

_IS_ADDRESS = re.compile(r"/|[a-z][a-z+.-]*://", re.IGNORECASE)


@contextmanager
def ask_named(corpus: Path, name: str, given: Mapping[str, str]) -> Iterator[Question]:
    """A named question with its parameters, to be answered while the context is open."""
    query = query_named(name)
    with open_for_questions(corpus) as connection, translate_own_errors(connection, corpus):
        yield make_named_question(connection, query, given)


@contextmanager
def ask_changes(corpus: Path, since: str) -> Iterator[Question]:
    """The question for the rows of `changes_since`, answered while the context is open. Raises ChangesNotKept."""
    with (
        open_for_questions(corpus) as connection,
        translate_own_errors(connection, corpus),
        question_changes(connection, since) as question,
    ):
        yield question


@contextmanager
def question_changes(connection: DuckDBPyConnection, since: str) -> Iterator[Question]:
    """The same on an open connection."""
    try:
        yield make_question(connection, "FROM changes_since($since)", {"since": since})
    except InvalidInputException as error:
        raise ChangesNotKept(first_line(error).removeprefix("Invalid Input Error: ")) from error


def names_a_record(words: str) -> bool:
    """Whether the words may name a record, so that FIND_RECORD is asked."""
    return _NAMES_A_RECORD.search(words) is not None


@contextmanager
def ask_search(corpus: Path, words: str, limit: int) -> Iterator[Question]:
    """The question for tools, reviews, and tools and pages of other sites about some words, answered in the context.

    Words that are the address, path or title of a page, or an id, find that record alone. Raises QuestionFailed without
    words, and if no page has the address.
    """
    words = words.strip()
    if not words:
        raise QuestionFailed("no words to search for; give some, such as 'image generator'")
    with open_for_questions(corpus) as connection, translate_own_errors(connection, corpus):
        if names_a_record(words):
            values = {"words": words, "limit": str(limit)}
            record = make_named_question(connection, query_named(FIND_RECORD), values)
            if read_answer(record).rows:
                columns = "kind, name, text, reviewer, score, verdict, NULL::DOUBLE AS relevance, id"
                yield make_question(connection, f"FROM ({record.sql}\n) SELECT {columns}", record.values)
                return
            if _IS_ADDRESS.match(words):
                raise no_page(connection, words)
        search = SEARCH.format(mentions=query_named("search_mentions").sql)
        yield make_question(connection, search, {"words": words, "limit": limit})


def make_named_question(connection: DuckDBPyConnection, query: Query, given: Mapping[str, str]) -> Question:
    """A named question with its values. A question without the parameters `limit` and `offset` takes them, too.

    Raises QuestionFailed, also for a value that its parameter cannot have.
    """
    values = values_meant(connection, query, given)
    sql, declared = query.sql, {parameter.name for parameter in query.parameters}
    if "offset" in values.keys() - declared:
        # A question with a limit of its own answers that many rows after those that are skipped.
        sql = f"FROM ({sql.replace('$limit::BIGINT', '($limit::BIGINT + $offset::BIGINT)')}\n) OFFSET $offset::BIGINT"
    if "limit" in values.keys() - declared:
        sql = f"FROM ({sql}\n) LIMIT $limit::BIGINT"
    return make_question(connection, sql, values)


def why_empty(connection: DuckDBPyConnection, query: Query) -> str | None:
    """The reason for an answer without rows: the corpus lacks something, or the question hides rows. None: unknown."""
    if query.topic in PANEL_TOPICS and not has_panel(connection):
        return "this corpus has no page of a panel; 'list_mentioned' and 'pages_of_other_sites' say what it has"
    (has,) = read_answer(make_question(connection, read_sql("schema/catalog")["extent"])).records
    if query.needs is not None and has[query.needs] < 2:
        return NEEDS[query.needs]
    return query.hides


def has_panel(connection: DuckDBPyConnection) -> bool:
    """Whether the corpus has a page of a panel, or no page at all."""
    ((has_one,),) = connection.execute("SELECT coalesce(bool_or(kind = 'panel'), true) FROM pages").fetchall()
    return bool(has_one)
