"""The order of a night, under one lock, with steps that only note that they were called."""

from contextlib import ExitStack
from types import SimpleNamespace

import pytest

from builders.command import check_refusal, verdicts
from builders.warehouse_rows import make_loss
from verdicts.fetch.model.fetch_errors import StoreLocked
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import night as nights
from verdicts.pipeline import steps
from verdicts.pipeline.night import NightSteps, run_night
from verdicts.pipeline.pipeline_errors import HeldBack
from verdicts.pipeline.sources.config import DEMO, read_config

ORDER = ["crawl", "extract", "normalize", "load", "publish", "export", "verify"]
LOST = make_loss("a.example", "held", "price", "http://a.example/1: $5 → nothing")
CONFIG = 'user_agent = "me (a@b.example)"\n[[site]]\nhosts = ["a.example"]\nstart_urls = ["https://a.example/"]\n'
COUNTS = {"bytes": 0, "crawl_id": "crawl-1", "fetched": 3, "unchanged": 0, "failed": 1}
PARTIAL, DONE = SimpleNamespace(status="partial", **COUNTS), SimpleNamespace(status="done", **COUNTS)


@pytest.fixture
def noting_steps(monkeypatch):
    def make(calls, data, gates=()):
        return steps_that_note(calls, data, gates, monkeypatch)

    return make


def steps_that_note(calls, data, gates, monkeypatch):
    def step(name, result):
        def call(*_):
            calls.append(name)
            with pytest.raises(StoreLocked), open_store(data, command="crawl"):
                pass
            return result

        return call

    monkeypatch.setattr(steps, "crawl_sites", lambda *_, **__: step("crawl", PARTIAL)())
    return NightSteps(
        extract=step("extract", None),
        normalize=step("normalize", None),
        load=step("load", SimpleNamespace(load=SimpleNamespace(load_id="load-1"), failed=(), gates=gates)),
        publish=step("publish", data / "copy"),
        export=step("export", SimpleNamespace(target=data / "dataset")),
        verify=step("verify", SimpleNamespace(damaged=(), records=1, bytes=1)),
    )


def test_a_night_runs_its_steps_in_order_under_one_lock(tmp_path, capsys, noting_steps):
    calls = []
    night = run_night(tmp_path, DEMO, noting_steps(calls, tmp_path))
    assert calls == ORDER
    part = "addresses that could not be fetched: 1; their rows stay as they were; the next run asks again"
    assert (night.status, night.crawl_id, night.load_id, night.published) == ("partial", "crawl-1", "load-1", "copy")
    assert (night.in_part, night.headline) == (part, f"done in part: {part}")
    assert capsys.readouterr().err.splitlines()[0] == "crawl: demo site http://demo.verdicts.example/"


def test_a_night_of_which_a_host_is_held_is_published_and_says_so(tmp_path, capsys, noting_steps):
    calls = []
    with pytest.raises(HeldBack, match=r"a\.example is held: price: 104 of 130 pages lost prices"):
        run_night(tmp_path, DEMO, noting_steps(calls, tmp_path, (LOST,)))
    assert calls == ORDER
    assert "    http://a.example/1: $5 → nothing\n" in capsys.readouterr().err


def test_a_night_begins_with_the_hosts_of_its_config(tmp_path, capsys, noting_steps):
    config = tmp_path / "verdicts.toml"
    config.write_text(CONFIG)
    run_night(tmp_path / "data", read_config(config), noting_steps([], tmp_path / "data"))
    assert capsys.readouterr().err.splitlines()[0] == "crawl: a.example"


def test_no_night_starts_where_the_disk_is_nearly_full(tmp_path):
    config = tmp_path / "verdicts.toml"
    config.write_text(f"{CONFIG}[care]\nmin_free_gb = 1e9\n")
    for command in ("run", "crawl"):
        check_refusal(verdicts(command, cwd=tmp_path), "nothing starts below min_free_gb = 1e+09", code=5)
    assert not (tmp_path / "data").exists()


def test_a_run_waits_for_the_one_that_holds_the_folder(tmp_path, monkeypatch, noting_steps):
    other, calls, said = ExitStack(), [], []
    other.enter_context(open_store(tmp_path, command="crawl"))

    def say(line, *_):
        said.append(line)
        other.close()

    monkeypatch.setattr(nights, "say", say)
    monkeypatch.setattr(nights, "TRIES_EVERY_S", 0)
    assert run_night(tmp_path, DEMO, noting_steps(calls, tmp_path), wait_minutes=1).published == "copy"
    assert (calls, said[0].partition(" ")[0]) == (ORDER, "waits:")
