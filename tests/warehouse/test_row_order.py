"""What is told of the same rows is the same, in whatever order a file has them."""

import shutil
from contextlib import closing

import duckdb
import pytest

from builders import warehouse_rows as make
from builders.snapshots import demo_corpus
from builders.warehouse_files import VIEWS, load_rows, publish
from verdicts.corpus.tables import TABLES, name_relation
from verdicts.warehouse.serving.named_queries import list_queries
from verdicts.warehouse.serving.query import ask, open_for_questions, read_answer
from verdicts.warehouse.serving.question_answers import make_named_question

PHRASES = ("agents", "fast code editor with agents", "the free open source model for teams")


@pytest.fixture(scope="module")
def in_order(tmp_path_factory):
    """A warehouse, and what is told of it."""
    home = tmp_path_factory.mktemp("in-order")
    load_rows(home / "corpus.duckdb", demo_corpus())
    return home / "corpus.duckdb", ask_everything(home / "corpus.duckdb", home / "serve")


def ask_everything(warehouse, serve):
    """Every view, as a set of rows; every question and some searches, in their order."""
    published = publish(warehouse, serve, at=make.NIGHT)
    told = {view: ask(published, f"FROM {view} ORDER BY ALL").rows for view in VIEWS.values()}
    told["tools"] = ask(published, "FROM tools ORDER BY ALL").rows
    for phrase in PHRASES:
        told[phrase] = ask(published, "FROM search($phrase, most := 50)", {"phrase": phrase}).rows
    tool = ask(published, "SELECT tool_id FROM reviews GROUP BY tool_id ORDER BY count(*) DESC, tool_id").rows[0][0]
    page = ask(published, "SELECT min(page_id) FROM pages").rows[0][0]
    needed = {"tool": tool, "page": page, "words": "agents", "tools": tool}
    with open_for_questions(published) as connection:
        for query in list_queries():
            names = {parameter.name for parameter in query.parameters if parameter.default is None}
            given = {name: value for name, value in needed.items() if name in names}
            told[query.name] = read_answer(make_named_question(connection, query, given)).rows
            told[f"all of {query.name}"] = read_answer(make_named_question(connection, query, {})).rows
    return told


def shuffle(path):
    with closing(duckdb.connect(str(path))) as connection:
        for relation in map(name_relation, TABLES):
            connection.execute("BEGIN")
            # A generated column is computed anew: none can be inserted.
            connection.execute(
                f"CREATE TEMP TABLE shuffled AS SELECT COLUMNS(lambda name: name <> 'content_hash') FROM {relation}"
                " ORDER BY hash(rowid + 1_000_000)"
            )
            connection.execute(f"DELETE FROM {relation}")
            connection.execute(f"INSERT INTO {relation} BY NAME FROM shuffled")
            connection.execute("DROP TABLE shuffled")
            connection.execute("COMMIT")


@pytest.mark.whole
def test_the_order_of_rows_changes_no_digit_of_any_answer(in_order, tmp_path):
    warehouse, before = in_order
    other = tmp_path / "corpus.duckdb"
    shutil.copy(warehouse, other)
    shuffle(other)
    after = ask_everything(other, tmp_path / "serve")
    assert [name for name, rows in before.items() if after[name] != rows] == []
