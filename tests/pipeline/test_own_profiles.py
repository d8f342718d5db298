"""A sister site is read by a profile in the data folder: through the real commands, here and past one machine."""

import csv
import shutil

import duckdb
import pytest

from builders.command import check_refusal, find_published_file, read_tables, run_here, run_well
from builders.paths import FIXTURES
from builders.sites import pages
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.build.build import build
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.engine.engine import LocalEngine
from verdicts.pipeline.scale.executor import PastOneMachine
from verdicts.pipeline.sources.config_sections import ScaleConfig

SITE = FIXTURES / "sites" / "verdicts_de"
PROFILE = (SITE / "verdicts_de.toml").read_text(encoding="utf-8")
LOGGED = ("crawls", "fetches", "gate_measures", "gate_accepts", "loads", "load_counts", "changes")
LOAD = frozenset({"load_id"})


@pytest.fixture
def home(tmp_path):
    """A folder with the pages of the sister site and a list of their addresses, and the profile in the data folder."""
    return make_home(tmp_path)


@pytest.fixture(scope="module")
def read_once(tmp_path_factory):
    home = make_home(tmp_path_factory.mktemp("sister"))
    run_well("ingest", "pages", cwd=home)
    return home


@pytest.fixture
def ingested(read_once, tmp_path):
    """The same after its pages were read and published."""
    return shutil.copytree(read_once, tmp_path / "home")


def make_home(tmp_path):
    listed = [(page.name, page.url) for page in pages(SITE) if page.url is not None]
    for name, _ in listed:
        (tmp_path / "pages").mkdir(exist_ok=True)
        shutil.copy(SITE / name, tmp_path / "pages" / name)
    with (tmp_path / "pages" / "urls.csv").open("w", encoding="utf-8") as file:
        csv.writer(file).writerows([("path", "url"), *listed])
    (tmp_path / "data" / "profiles").mkdir(parents=True)
    write(tmp_path, PROFILE)
    return tmp_path


def write(home, text, name="verdicts_de"):
    (home / "data" / "profiles" / f"{name}.toml").write_text(text, encoding="utf-8")


def counts(corpus):
    with duckdb.connect(corpus, read_only=True) as connection:
        pages = "SELECT count(*) FROM pages WHERE kind = 'panel'"
        reviews = "SELECT count(*) FROM reviews WHERE reviewer = 'Builder'"
        return connection.execute(f"SELECT ({pages}), ({reviews})").fetchone()


@pytest.mark.whole
def test_a_sister_site_is_read_shown_and_read_again_when_its_profile_changes(ingested):
    home, warehouse = ingested, DataFolder(ingested / "data").warehouse
    found, builders = counts(find_published_file(home / "data"))
    assert found >= 5
    assert builders > 0
    review = "SELECT review_id FROM reviews WHERE reviewer = 'Builder' LIMIT 1"
    shown = run_well("sql", review, "--format", "csv", cwd=home).stdout.split()[1]
    assert "source" in run_well("show", shown, "--source", cwd=home).stdout
    (before,) = (home / "data" / "records").glob("*.parquet")

    # The order of rows may still tell the reviewer of a review without a label.
    for text, is_known in ((PROFILE.replace("Erbauer =", "Werkler ="), False), (PROFILE, True)):
        write(home, text)
        run_well("build", cwd=home)
        now, of_builders = counts(warehouse)
        assert now == found
        assert (of_builders == builders) == is_known
    (after,) = (home / "data" / "records").glob("*.parquet")
    assert after.name == before.name


@pytest.mark.whole
def test_without_its_profile_no_page_of_the_site_is_a_comparison(home):
    (home / "data" / "profiles" / "verdicts_de.toml").unlink()
    run_here("ingest", "pages", cwd=home)
    assert not (home / "data" / "serve").exists() or counts(find_published_file(home / "data"))[0] == 0


@pytest.mark.whole
def test_a_profile_that_goes_takes_no_rows_with_it(ingested):
    (ingested / "data" / "profiles" / "verdicts_de.toml").unlink()
    done = run_here("build", cwd=ingested)
    assert done.returncode == 3
    assert "is held" in done.stderr
    assert counts(DataFolder(ingested / "data").warehouse)[0] >= 5


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("hosts = ", "host = ", "unknown field `host`"),
        ('eyebrow = "KI-Werkzeuge im Vergleich"', "eyebrow = 7", "$.page.eyebrow"),
        ('["de.verdicts.example"]', '["https://de.verdicts.example"]', "is not a host; write 'example.org'"),
        ('["de.verdicts.example"]', '["shiporskip.io"]', "shiporskip.io is a host of shiporskip and of verdicts_de"),
        ("[page]", "[page", "line"),
    ],
)
def test_a_mistake_in_a_profile_is_one_line_that_names_file_and_key(home, old, new, said):
    write(home, PROFILE.replace(old, new))
    check_refusal(run_here("ingest", "pages", cwd=home), "data/profiles", said)


@pytest.mark.whole
def test_past_one_machine_the_profile_travels_with_the_batches(ingested, tmp_path):
    rows = read_tables(find_published_file(ingested / "data"), without=LOGGED, without_columns=LOAD)
    there = DataFolder(tmp_path / "there")
    there.root.mkdir()
    for name in ("raw", "profiles"):
        shutil.copytree(ingested / "data" / name, there.root / name)
    for path in (ingested / "data").glob("state.sqlite*"):
        shutil.copy(path, there.root)
    scale = ScaleConfig(store=str(tmp_path / "store"))
    with open_store(there.root, command="test") as store:
        executor = PastOneMachine(scale, there, LocalEngine(1))
        assert build(store, there, now=steps.now(), executor=executor).failed == ()
    assert read_tables(there.warehouse, without=LOGGED, without_columns=LOAD) == rows
