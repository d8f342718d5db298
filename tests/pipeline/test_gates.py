"""A night that lost what it knew is held back from its readers."""

import pytest

from builders.command import called, published_file, tables_of
from demo_site.responses import SITE_URL, build_site
from pipeline.quality_gate import drift_of

pytestmark = pytest.mark.once

PATHS = [path for path in build_site() if path.startswith("/compare/")][:20]
ERROR = "<html><head><title>Compare</title></head><body><h1>We are moving</h1><p>Back in a moment.</p></body></html>"


def hand_over(home, bodies):
    """The pages as HTML files with their addresses; gives what the command said."""
    folder = home / "pages"
    folder.mkdir(exist_ok=True)
    rows = ["path,url"]
    for number, (path, body) in enumerate(bodies.items()):
        (folder / f"{number}.html").write_bytes(body)
        rows.append(f"{number}.html,{SITE_URL.rstrip('/')}{path}")
    (folder / "urls.csv").write_text("\n".join(rows))
    return called("ingest", folder, cwd=home)


def pages(*, broken=0):
    site = build_site()
    return {path: ERROR.encode() if index < broken else site[path].body for index, path in enumerate(PATHS)}


def test_an_error_page_in_place_of_many_is_reported_and_loses_nothing(tmp_path):
    hand_over(tmp_path, pages())
    assert called("check", cwd=tmp_path).returncode == 0
    before = tables_of(published_file(tmp_path / "data"))["appearances"]
    hand_over(tmp_path, pages(broken=10))
    done = called("check", cwd=tmp_path)
    assert done.returncode == 3
    assert "10 of 10 pages that changed are no comparisons any more" in done.stderr
    assert "Traceback" not in done.stderr
    assert tables_of(published_file(tmp_path / "data"))["appearances"] == before


def kinds(*runs):
    return [(url, f"run-{number}", kind) for number, run in enumerate(runs) for url, kind in run.items()]


def test_a_page_or_two_may_become_something_else():
    good = dict.fromkeys("abcdefghij", "comparison")
    assert drift_of(kinds(good, {"a": "document", "b": "reject"})).is_open
    assert not drift_of(kinds(good, dict.fromkeys("abc", "reject"))).is_open
    assert drift_of(kinds(good, good | dict.fromkeys("ab", "reject"))).is_open
    assert drift_of(kinds(dict.fromkeys("abc", "reject"))).is_open
    assert drift_of([]).is_open
