"""The diffs that CONTRIBUTING names work, and touch no more files than it says."""

import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from builders.paths import ROOT
from builders.warehouse_files import load_corpus

RECIPES = ROOT / "tests" / "recipes"

READ_A_PAGE = """
import sys
from datetime import UTC, datetime
from pathlib import Path
import duckdb
from verdicts.demo_site.site_facts import load_facts
from verdicts.demo_site.site_pages import render_comparison
from verdicts.demo_site.responses import SITE_URL
from verdicts.extract.model.records import Observation
from verdicts.extract.page import extract
from verdicts.fetch.model.snapshot import Location, Snapshot
from verdicts.normalize.corpus import normalize
from verdicts.warehouse.loading.load import load
from verdicts.warehouse.loading.rows import Logs

now, file = datetime(2026, 11, 21, tzinfo=UTC), Path(sys.argv[1])
facts = load_facts()
pair = next(pair for pair in facts.pairs if pair.dom == "html_semantic")
shown = render_comparison(facts, pair)
body = shown.replace("<p>Entry</p></li>", "<p>Entry</p></li><li><p>2021</p><p>Founded</p></li>", 1)
url = SITE_URL.rstrip("/") + pair.path
page = Snapshot(url, url, now, 200, (("content-type", "text/html"),), body.encode(), "20261121T000000Z-0000")
seen = Observation(url, now, page.crawl_id, Location("one.warc.gz", 0), page.sha256, extract(page))
load(file, normalize([seen]), Logs(), load_id="recipe", loaded_at=now, extractor_version="3")
with duckdb.connect(file, read_only=True) as connection:
    print(connection.execute(sys.argv[2]).fetchall())
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A copy of the packages, laid out as in the checkout."""
    spec = find_spec("verdicts")
    assert spec is not None
    assert spec.submodule_search_locations
    package = spec.submodule_search_locations[0]
    shutil.copytree(package, tmp_path / "src" / "verdicts", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def apply(source: Path, recipe: Path, files: int) -> None:
    assert len(re.findall(r"^--- ", recipe.read_text(encoding="utf-8"), re.MULTILINE)) == files
    done = subprocess.run(["git", "apply", recipe], cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def answer(source: Path, file: Path, question: str) -> str:
    """What a page of the changed program says, loaded into a file."""
    call = [sys.executable, "-c", READ_A_PAGE, str(file), question]
    paths = {"PYTHONPATH": str(source / "src"), "PATH": ""}
    done = subprocess.run(call, cwd=source, env=paths, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.whole
def test_a_new_field_of_a_card_takes_five_files(source, tmp_path):
    file = tmp_path / "corpus.duckdb"
    apply(source, RECIPES / "add_a_field.diff", files=5)
    assert (
        answer(source, file, "SELECT side, founded FROM evidence.tool_cards ORDER BY side")
        == "[('a', '2021'), ('b', None)]"
    )


@pytest.mark.whole
def test_a_new_table_takes_four_files_and_is_created_and_audited(source, tmp_path):
    file = tmp_path / "corpus.duckdb"
    load_corpus(file)
    apply(source, RECIPES / "add_a_table.diff", files=4)
    shown = answer(source, file, "SELECT side, reviews FROM evidence.shown_reviews ORDER BY side")
    assert shown == "[('a', 4), ('b', 4)]"
    comment = "SELECT comment FROM duckdb_tables() WHERE table_name = 'shown_reviews'"
    assert answer(source, file, comment) == "[('How many reviews of a tool a page shows.',)]"
