"""A file of views over a manifest answers what a loaded copy of the same rows answers."""

from functools import partial

import polars as pl
import pytest

from builders import warehouse_rows as make
from builders.s3_server import s3_server
from builders.snapshots import demo_corpus
from builders.warehouse_files import VIEWS, load_rows, publish
from verdicts.corpus.tables import TABLES, relation_of
from verdicts.explore.sql_cell import ask_select
from verdicts.fetch.objects import open_objects
from verdicts.pipeline.data_folder import DataFolder
from verdicts.warehouse.exporting.export import export
from verdicts.warehouse.loading.rows import Logs
from verdicts.warehouse.manifests import Manifest, publish_manifest
from verdicts.warehouse.parts import write_part
from verdicts.warehouse.serving import published as publishing
from verdicts.warehouse.serving.asking import named_question
from verdicts.warehouse.serving.diff import compare_files
from verdicts.warehouse.serving.named_queries import list_queries
from verdicts.warehouse.serving.published import published
from verdicts.warehouse.serving.query import answer_of, ask, opened_for_questions
from verdicts.warehouse.serving.views_file import make_views
from verdicts.warehouse.storage.errors import QuestionFailed, WarehouseBroken

SEARCH = ("search.indexed", "search.names", "search.postings", "search.words")

IN_TWO_PARTS = {"pages", "verdicts"}
"""Tables of which a row stands in every part."""


def in_parts(objects, rows, bins=3):
    parts = {
        table: [
            write_part(
                objects, table, f"build-1-{number:04}", of_table[number::bins] + of_table[: table in IN_TWO_PARTS]
            )
            for number in range(bins)
        ]
        for table, of_table in rows.items()
    }
    return publish_manifest(objects, Manifest(0, "build-1", make.NIGHT, "1", "1", parts))


def viewed(folder, objects, rows):
    manifest = in_parts(objects, rows)
    load = {"load_id": "load-1", "loaded_at": make.NIGHT, "clock": lambda: 0.0}
    logs = Logs(make.crawls(), make.fetches())
    publishing.publish(folder.serve, partial(make_views, objects, manifest, logs, **load))
    return folder


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """A data folder whose warehouse is published as ever."""
    folder = DataFolder(tmp_path_factory.mktemp("loaded"))
    load_rows(folder.warehouse, demo_corpus())
    publish(folder.warehouse, folder.serve, at=make.NIGHT)
    return folder


@pytest.fixture(scope="module")
def bucket():
    """A bucket, of whose requests one in a hundred fails."""
    with s3_server(one_in=100):
        yield open_objects("s3://bucket/corpus")


@pytest.fixture(scope="module", params=["in a folder", pytest.param("in a bucket", marks=pytest.mark.whole)])
def views(request, tmp_path_factory):
    """Another, whose parts are not loaded."""
    root = tmp_path_factory.mktemp("viewed")
    if request.param == "in a bucket":
        return viewed(DataFolder(root), request.getfixturevalue("bucket"), demo_corpus())
    return viewed(DataFolder(root), open_objects(str(root / "store")), demo_corpus())


def of(folder, sql):
    return ask(published(folder.serve), sql)


def told(answer):
    """An answer to the last digit: the parts have the rows in another order."""
    return answer.columns, answer.types, answer.rows


@pytest.mark.whole
@pytest.mark.parametrize("views", ["in a bucket"], indirect=True)
def test_every_relation_has_the_rows_and_types_of_a_copy(loaded, views):
    for relation in [*map(relation_of, TABLES), *VIEWS.values(), *SEARCH]:
        sql = f"FROM {relation} ORDER BY ALL"
        assert told(of(views, sql)) == told(of(loaded, sql)), relation
    viewed = "SELECT view_name FROM duckdb_views() WHERE NOT internal"
    assert of(loaded, viewed).rows == []
    assert ("appearances",) in of(views, viewed).rows


def test_comments_and_versions_are_those_of_a_copy(loaded, views):
    described = """
        SELECT schema_name, table_name AS name, NULL AS column_name, comment FROM duckdb_tables()
        UNION ALL SELECT schema_name, view_name, NULL, comment FROM duckdb_views()
        UNION ALL SELECT schema_name, table_name, column_name, comment FROM duckdb_columns()
    """
    described = f"FROM ({described}) WHERE schema_name <> 'objects' AND comment IS NOT NULL ORDER BY ALL"
    assert of(views, described).rows == of(loaded, described).rows
    version = "SELECT schema_version(), schema_digest()"
    assert of(views, version) == of(loaded, version)


@pytest.mark.whole
@pytest.mark.parametrize("views", ["in a bucket"], indirect=True)
def test_every_named_question_has_the_answer_of_a_copy(loaded, views):
    tool = of(loaded, "SELECT tool_id FROM reviews GROUP BY tool_id ORDER BY count(*) DESC, tool_id").rows[0][0]
    page = of(loaded, "SELECT min(page_id) FROM pages").rows[0][0]
    needed = {"tool": tool, "page": page, "words": "agents", "tools": tool}
    with (
        opened_for_questions(published(loaded.serve)) as of_copy,
        opened_for_questions(published(views.serve)) as of_views,
    ):
        for query in list_queries():
            names = {parameter.name for parameter in query.parameters if parameter.default is None}
            given = {name: value for name, value in needed.items() if name in names}
            answers = [answer_of(named_question(connection, query, given)) for connection in (of_copy, of_views)]
            assert told(answers[0]) == told(answers[1]), query.name


def test_a_question_reads_no_file_but_the_parts(views, tmp_path):
    path = published(views.serve)
    (tmp_path / "other.parquet").write_bytes(b"PAR1")
    beside = of(views, "SELECT url || '/tables/manifest-000001.json' FROM objects.store").rows[0][0]
    for file in (tmp_path / "other.parquet", beside):
        with pytest.raises(QuestionFailed, match="cannot be read; a SELECT may read"):
            ask(path, f"FROM read_text('{file}')")


def test_the_cell_of_the_explorer_reads_parts_of_a_folder_and_says_that_a_bucket_is_out_of_its_reach(views):
    ask_here = partial(ask_select, published(views.serve), rows_max=10, cell_chars=100, seconds_max=60.0)
    if of(views, "SELECT url FROM objects.store").rows[0][0].startswith("s3://"):
        with pytest.raises(QuestionFailed, match="in a bucket"):
            ask_here("SELECT count(*) FROM reviews")
        return
    assert ask_here("SELECT count(*) FROM reviews").rows == [(str(len(demo_corpus()["reviews"])),)]
    with pytest.raises(QuestionFailed, match="Cannot access file"):
        ask_here(f"FROM read_text('{__file__}')")


@pytest.mark.whole
def test_views_and_a_copy_of_the_same_rows_do_not_differ(loaded, views):
    for before, after in ((loaded, views), (views, loaded)):
        with compare_files(published(before.serve), published(after.serve)) as differences:
            assert answer_of(differences.rows).rows == []


@pytest.mark.whole
def test_a_dataset_of_views_has_the_files_of_one_of_a_copy(loaded, views, tmp_path):
    copy, viewed = (
        export(published(folder.serve), tmp_path / name) for name, folder in (("copy", loaded), ("views", views))
    )
    files = [
        sorted(path.relative_to(report.target) for path in report.target.rglob("*.parquet"))
        for report in (copy, viewed)
    ]
    assert files[0] == files[1]
    for file in files[0]:
        # A view does not say which of its columns are never NULL.
        before, after = (pl.read_parquet(report.target / file) for report in (copy, viewed))
        assert after.equals(before), file


@pytest.mark.whole
def test_a_part_that_is_gone_is_told_by_its_name(tmp_path):
    folder = viewed(DataFolder(tmp_path), open_objects(str(tmp_path)), make.corpus())
    (tmp_path / "tables" / "reviews" / "build-1-0001.parquet").unlink()
    with pytest.raises(WarehouseBroken, match=r"tables/reviews/build-1-0001\.parquet is not in the store; 'verdicts"):
        of(folder, "SELECT text FROM reviews")


@pytest.mark.whole
def test_a_bucket_that_refuses_is_told_where_it_is_asked(tmp_path):
    with s3_server() as server:
        folder = viewed(DataFolder(tmp_path), open_objects("s3://bucket/corpus"), make.corpus())
        server.key = "another"
        with pytest.raises(WarehouseBroken, match=r"the store refuses .* check AWS_ACCESS_KEY_ID"):
            of(folder, "SELECT text FROM reviews")
