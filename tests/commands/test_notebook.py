"""`verdicts notebook`: a file that runs with what its first lines name, asks the published copy, cannot change it."""

import json
import re
import shutil
import subprocess

import duckdb
import pytest

from builders.command import check_refusal, find_published_file, run_here, run_well
from verdicts.warehouse.serving.named_queries import list_queries

DRIVER = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("forked", sys.argv[1])
forked = importlib.util.module_from_spec(spec)
spec.loader.exec_module(forked)
_, made = forked.app.run()
kept = {name: made[name] for name in ("answer", "reviewers", "own")}
print(json.dumps(kept | {"chart": made["chart"].text, "questions": list(made["QUESTIONS"])}))
"""


@pytest.fixture(scope="module")
def written(six_pages, tmp_path_factory):
    """A notebook over the corpus of six pages."""
    home = tmp_path_factory.mktemp("notebook")
    (home / "data").symlink_to(six_pages / "data")
    run_well("notebook", "asked.py", "--force", cwd=home)
    return home / "asked.py"


@pytest.mark.whole
def test_a_notebook_runs_by_itself_and_its_chart_has_the_reviewers_of_the_corpus(written, tmp_path):
    """In an environment that uv makes of what the notebook says it needs."""
    if shutil.which("uv") is None:
        pytest.skip("there is no uv here to make the notebook's environment")
    (requirements,) = re.findall(r"# /// script\n.*?# ///\n", written.read_text(encoding="utf-8"), re.DOTALL)
    driver = tmp_path / "driver.py"
    driver.write_text(requirements + DRIVER, encoding="utf-8")
    done = subprocess.run(
        ["uv", "run", "--script", driver, written], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    if re.search("Failed to (fetch|download)|Could not connect|no solution found", done.stderr, re.IGNORECASE):
        pytest.skip(f"marimo cannot be had here: {done.stderr.splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert made["questions"] == [question.name for question in list_queries()]
    assert (
        json.loads(run_here("query", "reviewer_leanings", "--format", "json", cwd=written.parent).stdout)
        == made["answer"]
    )
    with duckdb.connect(str(find_published_file(written.parent / "data")), read_only=True) as corpus:
        reviewers = corpus.execute("SELECT reviewer, count(*) FROM scored_reviews GROUP BY ALL").fetchall()
    assert {(reviewer["reviewer"], reviewer["reviews"]) for reviewer in made["reviewers"]} == set(reviewers)
    assert all(f"{reviewer}, n = {takes}<" in made["chart"] for reviewer, takes in reviewers)


def test_a_notebook_reads_whichever_copy_is_published_when_it_runs(written):
    text = written.read_text(encoding="utf-8")
    assert repr(str((written.parent / "data" / "serve").resolve() / "corpus.duckdb")) in text
    assert find_published_file(written.parent / "data").name not in text


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("asked.py", "asked.py already exists; --force replaces it"),
        ("data/serve/a.py", "data/serve/a.py is in the data folder, whose files only nights write; write it elsewhere"),
        ("nowhere/asked.py", "nowhere is not a folder; create it first"),
        ("asked.ipynb", "asked.ipynb does not end with .py, as a notebook must"),
    ],
)
def test_a_place_for_a_notebook_is_refused_with_the_reason(written, name, says):
    before = written.read_bytes()
    done = run_here("notebook", name, cwd=written.parent)
    assert (done.returncode, done.stderr) == (1, f"verdicts: {says}\n")
    assert written.read_bytes() == before
    assert not list((written.parent / "data").rglob("*.py"))


def test_a_corpus_that_is_not_published_is_told_before_anything_is_written(tmp_path):
    check_refusal(run_here("notebook", "asked.py", cwd=tmp_path), "holds no corpus yet")
    assert not (tmp_path / "asked.py").exists()
