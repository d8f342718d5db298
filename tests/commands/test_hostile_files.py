"""Files and names that somebody made to do harm: one line each that names the file, and nothing outside is touched."""

import os
from pathlib import Path

import pytest

from builders.command import check_refusal, find_published_file, read_tables, run_here, run_well
from verdicts.demo_site.site_facts import load_facts
from verdicts.demo_site.site_pages import render_comparison
from verdicts.fetch.store import checksums
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.record import read_nights
from verdicts.pipeline.sources.page_files import find_sources

DEEP = "a = " + "[" * 50_000
RECIPE = '[tools]\ncss = "p"\n[tools.fields]\nname = { css = "b" }\n'
EXPECTED = '{"url": "http://shelf.example/", "saved_on": "2026-11-01"}'


@pytest.fixture
def home(tmp_path):
    """A folder with a page, a pipe, a secret outside of `pages`, and what is nested too deeply."""
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "page.html").write_text(render_comparison(load_facts(), load_facts().pairs[0]))
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.html").write_text("<p>secret")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "deep.toml").write_text(DEEP)
    return tmp_path


CALLS: dict[str, tuple[list[str], int, str]] = {
    "a page that is a pipe": (["recipe", "try", "pipe"], 1, "pipe: is a pipe, not a file"),
    "a recipe that is a pipe": (["recipe", "try", "pages/page.html", "--recipe", "pipe"], 1, "pipe: is a pipe"),
    "a recipe too deep": (["recipe", "try", "pages/page.html", "--recipe", "deep.toml"], 1, "nested more than 50 deep"),
    "a name that leads out": (["recipe", "new", "../../evil", "pages/page.html"], 1, "is not a host"),
    "a name of 300 letters": (["recipe", "new", "a" * 300, "pages/page.html"], 1, "is not a host"),
    "a config that is a pipe": (["crawl", "--config", "pipe"], 1, "pipe cannot be read: is a pipe"),
    "a config too deep": (["run", "--config", "deep.toml"], 1, "deep.toml: it is nested more than 50 deep"),
    "a list without an end": (["ingest", "pages", "--urls", "/dev/zero"], 1, "/dev/zero: is a device"),
    "a question without an end": (["sql", "-f", "/dev/zero"], 1, "/dev/zero has more than 1,000,000 characters"),
    "a folder that is a loop": (["sql", "SELECT 1", "--data", "loop"], 5, "loop/serve/current: Too many levels"),
    "an answer to a loop": (["sql", "SELECT 1", "--output", "loop", "--format", "csv"], 1, "holds no corpus yet"),
    "a notebook in a loop": (["notebook", "loop/x.py"], 1, "loop is not a folder"),
    "a name of two lines": (["recipe", "try", "no\nverdicts: all is well"], 1, "no\\nverdicts: all is well: no such"),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_file_or_name_made_to_do_harm_costs_one_line(home, name):
    arguments, code, why = CALLS[name]
    before = list_files(home)
    check_refusal(run_here(*arguments, cwd=home), why, code=code)
    assert {path for path in list_files(home) - before if not path.startswith("data")} == set()


@pytest.mark.whole
def test_links_in_a_folder_are_passed_over_and_one_that_is_named_is_read(home):
    (home / "pages" / "a.html").symlink_to("../outside/secret.html")
    (home / "pages" / "folder").symlink_to("../outside")
    (home / "pages" / "urls.csv").symlink_to("../outside/urls.csv")
    done = run_here("ingest", "pages", cwd=home)
    assert done.returncode == 2
    passed = [line.removeprefix("verdicts: left out: ") for line in done.stderr.splitlines() if "left out" in line]
    assert passed == [
        "pages/a.html: is a link, and is not followed",
        "pages/folder: is a link, and is not followed",
        "pages/urls.csv: is a link, and is not followed",
    ]
    fetches = read_tables(find_published_file(home / "data"), without=())["fetches"]
    assert sorted(str(row[3]) for row in fetches) == ["stored", "unreadable", "unreadable", "unreadable"]
    (home / "pages" / "urls.csv").unlink()
    named = find_sources([home / "pages" / "a.html", home / "pages" / "folder"], None)
    assert [(source.path.name, source.problem) for source in named] == [("a.html", None), ("secret.html", None)]


UNREADABLE = (
    (DEEP, "nested more than 50 deep"),
    ("count = " + "1" * 10_000, "a number that is too large"),
    (RECIPE.replace('css = "p"', 'css = "p"\ncount = inf'), "tools.count: Expected"),
    (b"\xef\xbb\xbf" + (RECIPE + "x = 1\nx = 2").encode(), "Cannot overwrite"),
    (b"\xff", "not in UTF-8"),
    (None, "is a pipe, not a file"),
)


def test_a_build_refuses_recipes_that_cannot_be_read_and_names_them_all(home):
    """One line, and the corpus is as it was: a night that left a recipe out would take its tools away."""
    run_well("ingest", "pages", cwd=home)
    recipes = home / "data" / "recipes"
    recipes.mkdir()
    for number, (text, _) in enumerate(UNREADABLE):
        path = recipes / f"{number}.example.toml"
        if text is None:
            os.mkfifo(path)
        else:
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
    done = run_here("build", cwd=home)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    told = done.stderr.split(".example.toml: ")[1:]
    assert len(told) == len(UNREADABLE)
    assert all(why in line for line, (_, why) in zip(told, UNREADABLE, strict=True)), told


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[" * 50_000 + "]" * 50_000, "nested more than 50 deep"),
        (EXPECTED.replace("}", ', "fields": {"a": [' + "1" * 10_000 + "]}}"), "a number that is too large"),
        (EXPECTED.replace("}", ', "fields": {"a": [1]}}'), "Expected `str | null`, got `int`"),
        (EXPECTED.replace("}", ', "url": "http://other.example/"}'), "'url' occurs twice"),
        (EXPECTED.replace("shelf.example", "[::1"), "is not an address"),
        (None, "is a link, and is not followed"),
    ],
)
def test_what_is_expected_of_a_page_is_refused_where_it_cannot_be_read(home, text, why):
    page = home / "recipes" / "shelf.example" / "page"
    page.mkdir(parents=True)
    (home / "recipes" / "shelf.example.toml").write_text(RECIPE)
    (page / "page.html").write_text("<p><b>x</b>")
    if text is None:
        (page / "expected.json").symlink_to(home / "outside" / "secret.html")
    else:
        (page / "expected.json").write_text(text)
    check_refusal(run_here("recipe", "test", "recipes", cwd=home), "page/expected.json: ", why)


def test_a_recipe_is_written_through_no_link(home):
    recipes = home / "data" / "recipes"
    recipes.mkdir(parents=True)
    (recipes / "a.example").symlink_to(home / "outside")
    (recipes / "b.example.toml").symlink_to(home / "outside" / "b.toml")
    check_refusal(run_here("recipe", "new", "a.example", "pages/page.html", cwd=home), "a.example is a link")
    run_well("recipe", "new", "b.example", "pages/page.html", cwd=home)
    assert list_files(home / "outside") == {"secret.html"}


def test_the_folder_of_a_page_has_a_plain_name(home):
    for name in ("Larkpad or Finchnote? \n.html", "-rf.html", "x" * 200 + ".html"):
        (home / name).write_text("<p>words")
        run_well("recipe", "new", "shelf.example", "--", name, cwd=home)
    kept = home / "data" / "recipes" / "shelf.example"
    assert sorted(path.name for path in kept.iterdir()) == ["Larkpad-or-Finchnote", "rf", "x" * 60]


def list_files(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*")}


@pytest.mark.parametrize(
    "make",
    [
        os.mkfifo,
        Path.mkdir,
        lambda path: path.symlink_to("/dev/zero"),
        lambda path: path.write_text("[" * 50_000),
        lambda path: path.write_text('{"open": [{"opened_at": "2026-11-01"}], "undelivered": []}'),
        lambda path: path.write_text('{"open": {}, "undelivered": 1e999}'),
        lambda path: path.write_text('{"night_id": 5, "began_at": "2026-11-01T00:00:00+00:00", "ended_at": {}}'),
    ],
)
def test_what_is_told_of_nights_is_nothing_where_its_files_cannot_be_read(tmp_path, make):
    folder = DataFolder(tmp_path)
    folder.reports.mkdir()
    make(folder.reports / "20261101T000000Z-0001.json")
    assert read_nights(folder) == []


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_a_digest_that_is_no_file_ends_in_one_error(tmp_path, make):
    (tmp_path / "a").write_bytes(b"words")
    make(tmp_path / "a.sha256")
    with pytest.raises(OSError, match=r"is a (pipe|device), not a file"):
        checksums.is_as_noted(tmp_path / "a")
