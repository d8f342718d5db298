"""The documents as a site: complete, with no link astray, asking nobody for anything, shown by `verdicts docs`."""

import importlib.util
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import httpx
import pytest

from builders.command import RUN_MAIN, run_here
from builders.interruptions import HEARING
from builders.paths import ROOT
from verdicts.commands import viewing
from verdicts.corpus.tables import TABLES

PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs/*.md", "examples/*.md")
    for path in ROOT.glob(pattern)
)


def page_paths(navigation):
    for entry in navigation:
        for place in entry.values():
            yield from page_paths(place) if isinstance(place, list) else [place]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("zensical")
    spec = importlib.util.spec_from_file_location("build_site", ROOT / "docs" / "build_site.py")
    builder = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(builder)
    target = tmp_path_factory.mktemp("docs") / "site"
    # Strict: an unknown page or heading in a link is an error.
    builder.build(target)
    return target


def test_every_document_has_one_place_in_the_navigation():
    config = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))
    assert sorted(page_paths(config["project"]["nav"])) == PAGES, "zensical.toml names each page once"


@pytest.mark.parametrize("document", PAGES)
def test_every_file_that_a_document_links_to_is_there(document):
    text = re.sub(r"```.*?```", "", (ROOT / document).read_text(encoding="utf-8"), flags=re.DOTALL)
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text)]
    targets = [link for link in links if link and not link.startswith("http")]
    assert [link for link in targets if not ((ROOT / document).parent / link).exists()] == []


def test_every_page_is_built_and_asks_nobody_else_for_anything(site):
    built = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    assert {page.replace("README", "index").replace(".md", ".html") for page in PAGES} <= built
    for path in site.rglob("*.html"):
        html = path.read_text(encoding="utf-8")
        loading = re.findall(r"<(?:script|link|img|iframe|source|video|object|embed)\b[^>]*>", html)
        assert [tag for tag in loading if re.search(r"(?:src|href|data)\s*=\s*[\"']?(?:https?:)?//", tag)] == [], path
        # What the site's own program would fetch a further one for.
        assert not re.search(r'class="(?:mermaid|glightbox)"', html), path
    for path in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", path.read_text(encoding="utf-8")), path


def test_the_tables_are_a_picture_with_each_table_in_it(site):
    html = (site / "docs" / "entities.html").read_text(encoding="utf-8")
    drawn = set(re.findall(r'href="dictionary.html#(\w+)">', html))
    assert drawn == set(TABLES)
    assert "erDiagram" not in html


@pytest.mark.skipif(not (ROOT / "changes").exists(), reason="a wheel is tested without the sources")
def test_a_release_makes_the_changelog_of_the_files_that_changes_brought(tmp_path):
    pytest.importorskip("towncrier")
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "changes", tmp_path / "changes")
    (tmp_path / "changes" / "+apples.fixed.md").write_text("Apples are counted once.\n")
    call = [sys.executable, "-m", "towncrier", "build", "--yes", "--version", "9.9.9", "--date", "2027-01-02"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    written = (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = written.partition("\n## ")[2].partition("\n## ")[0]
    assert newest.startswith("9.9.9, 2027-01-02\n")
    assert "Apples are counted once." in newest
    for path in (ROOT / "changes").glob("+*.md"):
        assert path.read_text(encoding="utf-8").strip() in newest
    assert list((tmp_path / "changes").glob("+*")) == []


def test_the_search_knows_the_tables_and_the_questions(site):
    index = (site / "search.json").read_text(encoding="utf-8")
    assert all(word in index for word in ("attribution_evidence", "weakly_attributed"))


def test_the_command_shows_the_site_until_it_is_ended(site, tmp_path):
    shows = f"from verdicts.commands import viewing; viewing.SITE = viewing.Path({str(site)!r}); {RUN_MAIN}"
    with subprocess.Popen(
        [sys.executable, "-c", HEARING + shows, "docs", "--port", "0"], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as process:
        address = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())[0]
        page = httpx.get(address + "docs/commands.html")
        process.send_signal(signal.SIGINT)
    assert (page.status_code, process.returncode) == (200, 130)
    assert "default-src 'self'" in page.headers["content-security-policy"]


def test_a_site_that_is_not_built_is_told_with_the_command_that_builds_it(monkeypatch, tmp_path):
    monkeypatch.setattr(viewing, "SITE", tmp_path)
    done = run_here("docs", cwd=tmp_path)
    assert done.returncode == 1
    command = re.search(r"'uv run --group docs python (.+)'", done.stderr)[1]
    assert Path(ROOT / command).exists()
