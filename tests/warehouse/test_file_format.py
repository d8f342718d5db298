"""The published file as other programs open it: an older DuckDB, a schema browser, a small disk."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from verdicts.corpus.declare import SCHEMAS
from verdicts.warehouse.serving.published import find_published
from verdicts.warehouse.storage.connection import scratch

QUALIFIED = "SELECT table_schema || chr(46) || table_name FROM information_schema.tables"

OLDEST = "1.2.0"
"""The first DuckDB that opens a published copy."""

SEARCH = "SELECT name FROM search_reviews('agent model', most := 3)"

READ = """
import duckdb, json, sys
connection = duckdb.connect(sys.argv[1], read_only=True)
names = [name for (name,) in connection.execute(sys.argv[2]).fetchall()]
rows = {name: len(connection.execute(f"FROM {name}").fetchall()) for name in names}
first = connection.execute(sys.argv[3]).fetchall()
then = connection.execute("SELECT count(*) FROM tools_asof(TIMESTAMPTZ '2100-01-01')").fetchone()
print(json.dumps({"version": duckdb.__version__, "rows": rows, "search": first, "then": then}))
"""


@pytest.fixture(scope="module")
def older_python(tmp_path_factory):
    """An environment of its own with the oldest DuckDB that is promised."""
    if shutil.which("uv") is None:
        pytest.skip("uv is not there")
    home = tmp_path_factory.mktemp("older")
    made = subprocess.run(["uv", "venv", "-q", "--python", sys.executable, str(home)], check=False)
    # Without a wheel for this Python it would be compiled, for half an hour.
    wheels = ("--only-binary", ":all:", f"duckdb=={OLDEST}", "pytz")
    command = ["uv", "pip", "install", "-q", "--python", str(home / "bin/python"), *wheels]
    if made.returncode or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip(f"duckdb {OLDEST} cannot be had here")
    return home / "bin/python"


@pytest.fixture
def serve(six_pages):
    return six_pages / "data" / "serve"


def test_the_oldest_duckdb_that_is_promised_reads_every_table_and_macro(older_python, serve):
    copy = find_published(serve)
    ran = subprocess.run(
        [str(older_python), "-c", READ, str(copy), QUALIFIED, SEARCH], check=False, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    read = json.loads(ran.stdout)
    assert read["version"] == OLDEST
    with duckdb.connect(copy, read_only=True) as opened:
        names = [name for (name,) in opened.execute(QUALIFIED).fetchall()]
        assert read["rows"] == {name: len(opened.execute(f"FROM {name}").fetchall()) for name in names}
        assert read["search"] == [list(row) for row in opened.execute(SEARCH).fetchall()]
    assert read["search"]
    assert read["then"] == [read["rows"]["main.tools"]]


@pytest.mark.whole
def test_a_schema_browser_shows_each_name_once_and_nothing_of_the_loader(serve):
    with duckdb.connect(find_published(serve), read_only=True) as opened:
        listed = opened.execute("SELECT table_schema, table_name, table_type FROM information_schema.tables")
        relations = listed.fetchall()
        schemas = {schema for schema, *_ in relations}
        kinds = {kind for *_, kind in relations}
    names = [name for _, name, _ in relations]
    assert len(names) == len(set(names))
    assert {"reviews", "matches", "price_ladder"} <= set(names)
    assert schemas <= {*SCHEMAS, "search"}
    assert kinds == {"BASE TABLE"}
    assert find_published(serve).stat().st_size < 3_000_000


def test_what_spills_to_the_disk_is_readable_only_by_its_owner():
    with scratch() as connection:
        (folder,) = connection.execute("SELECT current_setting('temp_directory')").fetchone()
    assert Path(folder).stat().st_mode & 0o777 == 0o700
