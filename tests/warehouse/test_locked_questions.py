"""A question reads the corpus and two folders, writes and downloads nothing, and takes no more than its share."""

from pathlib import Path

import duckdb
import pytest

from verdicts.warehouse.serving.query import open_question, read_answer, read_batches, write_parquet
from verdicts.warehouse.storage import connection
from verdicts.warehouse.storage.warehouse_errors import QuestionFailed

SECRET = "the words of another folder"

REFUSED = [
    "FROM read_text('/etc/passwd')",
    "FROM read_blob('/proc/self/environ')",
    "FROM '{outside}/secret.csv'",
    "FROM '../outside/secret.csv'",
    "FROM 'sub/../../outside/secret.csv'",
    "FROM '{work}/../outside/secret.csv'",
    "FROM 'link/secret.csv'",
    "FROM 'link.csv'",
    "FROM read_text(['in.csv', '{outside}/secret.csv'])",
    "FROM read_csv('li*/secret.csv')",
    "FROM parquet_metadata('{outside}/secret.parquet')",
    "FROM read_text('file://{outside}/secret.csv')",
    "FROM '{work}place/secret.csv'",
    "FROM read_duckdb('{outside}/other.duckdb')",
    "FROM '{outside}/other.duckdb'",
    "FROM glob('{outside}/*')",
    "FROM glob('/etc/pass*')",
    "FROM query('FROM ''{outside}/secret.csv''')",
    "FROM query('COPY t TO ''copy.csv''')",
    "FROM json_execute_serialized_sql(json_serialize_sql('FROM ''{outside}/secret.csv'''))",
    "FROM 'http://127.0.0.1:9/a.csv'",
    "FROM read_parquet('s3://bucket/a.parquet')",
    "FROM read_xlsx('in.csv')",
    "SELECT getenv('HOME')",
    "FROM enable_logging('QueryLog', storage := 'file', storage_path := '{work}/log')",
    "FROM question",
    "COPY t TO 'copy.csv'",
    "ATTACH '{outside}/other.duckdb' (READ_ONLY)",
    "SET lock_configuration = false",
    "SET enable_external_access = true",
    "CREATE SECRET (TYPE s3)",
    "EXPLAIN ANALYZE COPY t TO 'copy.csv'",
]

ALLOWED = [
    "FROM t",
    "FROM 'in.csv'",
    "FROM './sub/../in.csv'",
    "FROM '{work}/i*.csv'",
    "FROM '{data}/dataset.csv'",
    "FROM '../data/dataset.csv'",
    "FROM '../data/raw/one.csv'",
    "FROM read_text('in.csv')",
    "FROM glob('i*.csv')",
    "SELECT '{\"a\": 1}'::JSON ->> 'a', now() AT TIME ZONE 'Europe/Berlin'",
]


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A data folder behind a link, a working folder with links that lead out of it, and a folder outside."""
    names = ("outside", "work", "workplace", "work/sub", "disk")
    for name in names:
        (tmp_path / name).mkdir()
    (tmp_path / "disk" / "raw").mkdir()
    (tmp_path / "data").symlink_to("disk")
    for place in (
        "outside/secret.csv",
        "workplace/secret.csv",
        "work/in.csv",
        "disk/dataset.csv",
        "disk/raw/one.csv",
    ):
        (tmp_path / place).write_text(f"{SECRET}\n1\n")
    (tmp_path / "work" / "link").symlink_to("../outside")
    (tmp_path / "work" / "link.csv").symlink_to("../outside/secret.csv")
    for database in ("outside/other.duckdb", "disk/corpus.duckdb"):
        with duckdb.connect(tmp_path / database) as made:
            made.execute("CREATE TABLE t AS SELECT 1 AS a")
            made.execute(f"COPY t TO '{tmp_path}/outside/secret.parquet'")
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return {name: tmp_path / name for name in ("outside", "work", "data")}


def rows(places, sql):
    for name, path in places.items():
        sql = sql.replace(f"{{{name}}}", str(path))
    with open_question(places["data"] / "corpus.duckdb", sql, readable=(places["data"], Path.cwd())) as question:
        return read_answer(question).rows


def list_paths(folder):
    return {str(path) for path in folder.rglob("*")}


def test_nothing_but_the_two_folders_is_read_and_nothing_written(places, tmp_path):
    before = list_paths(tmp_path)
    for sql in REFUSED:
        with pytest.raises(QuestionFailed) as refused:
            print(sql, rows(places, sql))
        assert SECRET not in str(refused.value)
    for sql in ALLOWED:
        assert rows(places, sql), sql
    assert list_paths(tmp_path) == before


def test_without_folders_only_the_corpus_is_read(places):
    with (
        open_question(places["data"] / "corpus.duckdb", "FROM 'in.csv'") as question,
        pytest.raises(duckdb.PermissionException),
    ):
        read_answer(question)


def test_an_answer_of_any_size_takes_little_memory(places):
    with open_question(places["data"] / "corpus.duckdb", "FROM range(1_000_000_000_000)") as question:
        batches = read_batches(question)
        assert next(batches).rows[:2] == [(0,), (1,)]
        assert len(next(batches).rows) == 10_000
        batches.close()


def test_a_table_that_nobody_reads_is_refused(places):
    with (
        pytest.raises(QuestionFailed, match=r"more than 1,000 rows; use --format csv"),
        open_question(places["data"] / "corpus.duckdb", "FROM range(1_000_000_000)") as question,
    ):
        read_answer(question, rows_max=1_000)


@pytest.mark.parametrize(
    "sql", ["SELECT list(range) FROM range(1_000_000_000)", "FROM range(8_000_000) ORDER BY hash(range)"]
)
def test_a_question_that_needs_too_much_is_one_line(places, sql, monkeypatch):
    monkeypatch.setattr(connection, "_MEMORY_SHARE", "30MB")
    monkeypatch.setattr(connection, "_SPILL_LIMIT", "1MB")
    with pytest.raises(QuestionFailed, match="Out of Memory") as refused:
        rows(places, sql)
    assert "\n" not in str(refused.value)


def test_what_does_not_fit_in_memory_goes_to_the_temporary_folder_and_is_removed(places, tmp_path, monkeypatch):
    spill = tmp_path / "spill"
    spill.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(spill))
    with open_question(places["data"] / "corpus.duckdb", "SELECT 1 AS a") as question:
        assert write_parquet(question).is_relative_to(spill)
        assert list_paths(spill)
    assert list_paths(spill) == set()


def test_where_nothing_can_be_written_questions_are_answered(places, monkeypatch):
    def nowhere(**_):
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr("tempfile.TemporaryDirectory", nowhere)
    assert rows(places, "FROM t") == [(1,)]
    with (
        pytest.raises(QuestionFailed, match="TMPDIR"),
        open_question(places["data"] / "corpus.duckdb", "FROM t") as question,
    ):
        write_parquet(question)
