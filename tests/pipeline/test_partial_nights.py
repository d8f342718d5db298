"""A site answers 500 for some of its pages, is down as a whole, and comes back: what each night says, and to whom."""

from dataclasses import replace

import pytest

from builders.command import find_published_file, read_tables, run_here
from builders.receivers import receiver
from verdicts.demo_site.responses import Response
from verdicts.demo_site.server import serve
from verdicts.demo_site.site_facts import load_facts
from verdicts.demo_site.site_pages import render_comparison
from verdicts.fetch.http import pace
from verdicts.fetch.run import request
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.record import read_nights

PLAIN = (("Content-Type", "text/html; charset=utf-8"),)
CAPTCHA = b"<html><title>One moment</title><h1>Before we go on</h1><p>Pick all boats.</p></html>"
HOST = "127.0.0.1"
PAGES = 30


class BrokenSite:
    """Pages by path. `broken` answer 500; while it is not up all do, robots.txt too; `has_captchas`: instead of it."""

    def __init__(self):
        facts = replace(load_facts(), pairs=load_facts().pairs[:PAGES])
        pages = {pair.path: render_comparison(facts, pair, "html_semantic").encode() for pair in facts.pairs}
        self.paths = sorted(pages)
        self.broken: list[str] = []
        self.is_up, self.has_captchas = True, False
        self._pages = {path: Response(200, PLAIN, body) for path, body in pages.items()} | {"/": self._index()}

    def _index(self):
        links = "".join(f'<a href="{path}">{path}</a>' for path in self.paths)
        return Response(200, PLAIN, f"<html><body><h1>Tools, compared</h1>{links}</body></html>".encode())

    def get(self, path, default=None):
        if not self.is_up or path in self.broken:
            return Response(500, PLAIN, b"out of order")
        if self.has_captchas and path in self.paths:
            return Response(200, PLAIN, CAPTCHA)
        return self._pages.get(path, default)


@pytest.fixture
def served(tmp_path, monkeypatch):
    """The site, a webhook, and a night of the site."""
    monkeypatch.setattr(request, "draw_backoff_s", lambda *_: 0.0)
    monkeypatch.setattr(pace, "SLOWEST_S", 0.0)
    made = BrokenSite()
    with serve(made) as (_, port), receiver() as hook:
        made.host = f"{HOST}:{port}"
        config = tmp_path / "verdicts.toml"
        config.write_text(
            'user_agent = "verdicts-test (test@bot.example)"\ncare = { min_free_gb = 0 }\n'
            f'[[site]]\nhosts = ["{HOST}"]\nstart_urls = ["http://{HOST}:{port}/"]\ninclude = ["^/compare/"]\n'
            f"allow_private = true\ndelay_s = 0\nconnections = 1\nrevisit_hours = [0, 0]\n"
            f'[alerts]\napprise = ["{hook.json}"]\n'
        )

        def night(*, is_up=True, has_captchas=False, broken=()):
            made.is_up, made.has_captchas, made.broken = is_up, has_captchas, list(broken)
            return run_here("run", "--config", config, cwd=tmp_path)

        yield made, hook, night


@pytest.mark.whole
def test_a_night_in_part_says_so_and_is_over_once_the_site_is_whole_and_captchas_reach_no_reader(served, tmp_path):
    made, hook, night = served
    assert night().returncode == 0
    assert hook.posted == []

    done = night(broken=made.paths[::4])
    part = f"8 of 31 addresses of {made.host}: the host answers 500, such as at http"
    assert done.returncode == 2
    for said in (done.stdout, done.stderr):
        assert said.splitlines()[-1].startswith(f"done in part: {part}")
        assert said.endswith("; their rows stay as they were; the next run asks again\n")
    assert f"done in part: {part}" in " ".join(run_here("status", cwd=tmp_path).stdout.split())
    report = run_here("report", cwd=tmp_path).stdout
    assert part in report.replace("\\", "")
    assert hook.posted[-1]["title"] == f"verdicts: {made.host}: answered, and 1 more"
    assert part in hook.posted[-1]["message"]

    done = night(is_up=False)
    assert done.returncode == 3
    assert done.stderr.splitlines()[-1].startswith(f"verdicts: {made.host} is down: answered:")
    told = [done.stdout, done.stderr, run_here("check", cwd=tmp_path).stdout, run_here("report", cwd=tmp_path).stdout]
    for said in told:
        assert "--accept" not in said
    assert all("the next run asks again" in said for said in told[1:])
    assert "Over:" not in hook.posted[-1]["message"]
    assert hook.posted[-1]["title"] == f"verdicts: {made.host}: held"
    assert {item.cause for item in read_nights(DataFolder(tmp_path / "data"))[0].incidents} == {
        "partial",
        "answered",
        "held",
    }
    refused = run_here("check", "--accept", made.host, "--why", "it is down", cwd=tmp_path)
    assert (refused.returncode, "is down" in refused.stderr) == (1, True)

    done = night()
    assert done.returncode == 0
    assert "done in part" not in done.stdout + done.stderr
    assert hook.posted[-1]["message"].count("Over:") == 1
    assert read_nights(DataFolder(tmp_path / "data"))[0].incidents == ()

    before = read_tables(find_published_file(tmp_path / "data"))
    done = night(has_captchas=True)
    assert done.returncode == 3
    assert "a wall hides 10 pages" in done.stderr
    assert "it shows only 'One moment Before we go on Pick all boats.'" in done.stderr
    after = read_tables(find_published_file(tmp_path / "data"))
    for table in ("pages", "tools", "verdicts", "reviews"):
        assert after[table] == before[table]


def test_a_first_night_that_reaches_nothing_says_so_and_asks_nothing_of_an_empty_corpus(served):
    made, _, night = served
    done = night(is_up=False)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(
        f"done in part: there are no rows yet: {made.host}: nothing fetched; "
    )
    assert "next: " not in done.stdout
    assert "stay as they were" not in done.stdout + done.stderr
