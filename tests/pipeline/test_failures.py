"""A user's mistake is one clear line and the documented exit code, never a traceback."""

import subprocess
import sys

import pytest

from builders.command import RUN_MAIN, check_refusal, run_here, run_well
from verdicts.fetch.store.store import open_store


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("run", "--nope"), "No such option '--nope'"),
        (("rum",), "No such command 'rum'"),
        (("crawl", "--config", "missing.toml"), "missing.toml does not exist"),
        (("sql", "SELECT 1"), "data holds no corpus yet; run 'verdicts run' or 'verdicts ingest PATH' first"),
        (("status",), "data holds no corpus yet; run"),
        (("publish",), "has no warehouse yet"),
        (("ingest", "absent.txt"), "absent.txt does not exist"),
        (("query", "no_such_query"), "no question is called 'no_such_query'"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_1(args, words, tmp_path):
    done = run_here(*args, cwd=tmp_path)
    check_refusal(done, words)
    assert done.stdout == ""


def test_a_crawl_without_a_contact_is_refused(tmp_path):
    site = '[[site]]\nhosts = ["a.example"]\nstart_urls = ["https://a.example/"]\n'
    (tmp_path / "verdicts.toml").write_text(f'user_agent = "me"\n{site}')
    check_refusal(run_here("crawl", cwd=tmp_path), "no contact")
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("command", ["crawl", "run"])
def test_a_store_held_by_another_run_is_named_and_ends_with_4(command, tmp_path):
    with open_store(tmp_path / "data", command="crawl"):
        check_refusal(run_here(command, cwd=tmp_path), "is held by 'verdicts crawl' (process ", code=4)


def test_a_log_that_a_full_disk_refuses_costs_its_lines_alone(tmp_path):
    run_well("crawl", cwd=tmp_path)
    log = tmp_path / "data" / "logs" / "verdicts.jsonl"
    log.parent.mkdir(exist_ok=True)
    log.unlink(missing_ok=True)
    log.symlink_to("/dev/full")
    done = run_here("crawl", cwd=tmp_path)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr


def test_a_full_disk_ends_with_5_and_the_next_crawl_goes_on(tmp_path):
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))"
    full = f"import resource, sys; sys.dont_write_bytecode = True; {limit}; "
    call = [sys.executable, "-c", full + RUN_MAIN, "crawl"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 5, done.stderr
    assert done.stderr.splitlines()[-1].startswith("verdicts: ")
    assert done.stderr.splitlines()[-1].endswith("; free room on that disk, then run the command again")
    assert "Traceback" not in done.stderr
    again = run_well("crawl", cwd=tmp_path)
    assert " 228 fetched, 0 unchanged, 0 failed" in again.stdout
