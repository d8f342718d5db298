"""A signal ends a command in order: soon, with one line and its code, without a process left; the next run is whole."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from builders import interruptions
from builders.command import RUN_MAIN, write_config
from builders.fault_server import answer, faults, says, silence
from verdicts.commands.status import status
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.sources.config import read_config

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

HANGING = """
import os, time
import {module} as module

def hang(*args, **_):
    os.write(2, b"reached\\n")
    {how}

module.{name} = hang
from verdicts.commands.cli import main; main()
"""
"""The command, which stays for ever where it comes to `name`."""

ASLEEP = "time.sleep(60)"
IN_A_QUERY = "args[0].execute('SELECT count(*) FROM range(1000000000000)').fetchall()"
IN_A_THREAD = "import threading; threading.Thread(target=time.sleep, args=(60,)).start(); time.sleep(60)"
"""Python waits for a thread when it ends."""

POINTS = {
    "ingest, normalizing": (
        ("ingest", "pages"),
        "verdicts.pipeline.build.build",
        "normalize_stored",
        ASLEEP,
        signal.SIGTERM,
    ),
    "build, beside its workers": (("build", "--all"), "verdicts.pipeline.workers.pool", "wait", ASLEEP, signal.SIGHUP),
    "load, beside a thread": (("load", "out"), "verdicts.warehouse.loading.load", "audit", IN_A_THREAD, signal.SIGINT),
    "export, in threads": (
        ("export", "out"),
        "verdicts.warehouse.exporting.export",
        "_file",
        IN_A_QUERY,
        signal.SIGTERM,
    ),
}


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.share(4)
def test_a_command_ends_soon_with_one_line_and_its_code(point, six_pages, tmp_path):
    call, module, name, how, number = POINTS[point]
    home = tmp_path / "home"
    shutil.copytree(six_pages, home)
    if call[0] in {"ingest", "load"}:
        shutil.rmtree(home / "data")
    exported = interruptions.hash_export(home)
    process = interruptions.start(*call, cwd=home, code=HANGING.format(module=module, name=name, how=how))
    while process.stderr.readline() not in {"reached\n", ""}:
        pass
    ended = interruptions.end(process, number)
    assert ended.code is not None
    assert ended.complaint(number) is None
    assert interruptions.hash_export(home) == exported
    again(home, call)
    assert interruptions.read_published_rows(home) == interruptions.read_published_rows(six_pages)
    assert interruptions.hash_export(home) == exported
    assert interruptions.strays(home) == []


def again(home: Path, call: tuple[str, ...]) -> None:
    """The same in this process, which has its imports behind it."""
    folder = DataFolder(home / "data")
    if call[0] == "load":
        steps.load_dataset(folder, home / "out")
    elif call[0] in {"build", "ingest"}:
        with open_store(folder.root, command="test") as store:
            steps.build_corpus(store, folder)
    elif call[0] == "export":
        steps.export_dataset(folder, home / "out")
    steps.publish_corpus(folder)


@pytest.mark.parametrize(("number", "times"), [(signal.SIGTERM, 1), (signal.SIGINT, 2), (signal.SIGKILL, 1)])
@pytest.mark.share(3)
async def test_a_crawl_that_is_ended_is_interrupted_and_goes_on_under_its_id(number, times, tmp_path):
    reached = asyncio.Event()

    async def hold(request, writer):
        if request.before:
            writer.write(answer(b"<p>The second page."))
            return
        reached.set()
        await silence(request, writer)

    first = answer(b"<p>The first page.<a href=/held>next</a>")
    async with faults({"/": says(first), "/held": hold}) as server:
        config = write_config(tmp_path, server.port)
        process = interruptions.start("crawl", cwd=tmp_path)
        await reached.wait()
        running = crawl_lines(tmp_path)
        ended = await asyncio.to_thread(interruptions.end, process, number, times=times)
        dead = crawl_lines(tmp_path)
        runs = await asyncio.to_thread(runs_after_another_crawl, tmp_path, config)
    assert f"running: 'verdicts crawl' (process {process.pid}, since " in running
    assert " running " in running
    assert ended.code is not None
    assert number == signal.SIGKILL or ended.complaint(number) is None
    assert " interrupted " in dead
    assert "running" not in dead
    assert runs == [("done", 2)]
    # Only a kill loses what was stored in the last half second.
    assert server.asked["/"] == 1 or number == signal.SIGKILL


def runs_after_another_crawl(home: Path, config: Path) -> list[tuple[str, int]]:
    with open_store(home / "data", command="test") as store:
        steps.crawl_sites(store, read_config(config))
        return [(run.status, run.fetched) for run in store.read_crawls()]


def crawl_lines(home: Path) -> str:
    return CliRunner().invoke(status, ["--data", str(home / "data")]).output


def test_a_signal_that_the_caller_ignores_is_ignored(six_pages, tmp_path):
    """`nohup verdicts run` goes on when the terminal is closed."""
    shutil.copytree(six_pages / "data", tmp_path / "data")
    code = HANGING.format(module="verdicts.warehouse.serving.published", name="sync", how="time.sleep(0.3)")
    ignoring = f"import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN){code}"
    process = interruptions.start("publish", cwd=tmp_path, code=ignoring)
    assert process.stderr.readline() == "reached\n"
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=30)
    assert process.returncode == 0


def test_workers_end_with_a_command_that_is_killed(six_pages, tmp_path):
    """A worker that is deep in a hostile page does not look at its pipe."""
    shutil.copytree(six_pages / "data", tmp_path / "data")
    hostile = "<div>" * 200_000
    (tmp_path / "hostile.html").write_text(f"<html><body>Panel ship{hostile}")
    code = HANGING.format(module="verdicts.pipeline.workers.pool", name="_end", how=ASLEEP)
    busy = f"import verdicts.pipeline.workers.pool as pool; pool.PAGE_S, pool.WAIT_S = 100.0, 0.3{code}"
    process = interruptions.start("ingest", "hostile.html", cwd=tmp_path, code=busy)
    while process.stderr.readline() not in {"reached\n", ""}:
        pass
    assert len(interruptions.find_living(process.pid, within_s=0)) == 2
    process.kill()
    process.communicate()
    assert interruptions.find_living(process.pid) == ()


@pytest.mark.whole
def test_a_night_goes_on_where_nobody_reads_what_it_says(six_pages, tmp_path):
    shutil.copytree(six_pages / "data", tmp_path / "data")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([sys.executable, "-c", RUN_MAIN, "publish"], cwd=tmp_path, stderr=writing, check=False)
    os.close(writing)
    assert done.returncode == 0
    assert interruptions.strays(tmp_path) == []
