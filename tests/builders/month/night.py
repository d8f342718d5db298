"""A night as the operator runs it: `run_night` on a config, at an injected moment, on hosts of this machine."""

import asyncio
import contextlib
import io
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from importlib import import_module
from pathlib import Path
from random import Random
from unittest.mock import patch

from builders.kills import Ticks
from builders.made_sites import Clock
from builders.month.serving import Addresses
from builders.month.site import HOST, MIRROR
from verdicts.corpus.rows.runs import CrawlRow
from verdicts.fetch.model.site import Limits
from verdicts.fetch.run.crawl import crawl
from verdicts.fetch.store.store import Store, open_store
from verdicts.pipeline import steps
from verdicts.pipeline.build.judge_runs import accept
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.exit_codes import DONE, PARTIAL, exit_code, message
from verdicts.pipeline.night import run_night
from verdicts.pipeline.sources.config import Config, read_config

CONFIG = f"""user_agent = "verdicts-month (month@bot.example)"
care = {{ min_free_gb = 0 }}
[[site]]
hosts = ["{HOST}"]
start_urls = ["http://{HOST}/"]
exclude = ["^/reviewer/", "^/bookmarks"]
allow_private = true
delay_s = 0
[[site]]
hosts = ["{MIRROR}"]
start_urls = ["http://{MIRROR}/"]
exclude = ["^/(reviewer|tool)/", "^/compare$"]
allow_private = true
delay_s = 0
"""

LIMITS = Limits(backoff_s=0)
"""As they are, without the waits."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a night ended: its exit code, its last line, and all that it said. `code` -9: it was killed."""

    code: int
    line: str
    said: str = ""


def write_config(home: Path) -> Path:
    path = home / "verdicts.toml"
    path.write_text(CONFIG, encoding="utf-8")
    return path


def run(data: Path, config: Path, at: datetime, addresses: Addresses, *, seed: int) -> Ended:
    """One night in this process."""
    said = io.StringIO()
    with clock_at(at), contextlib.redirect_stderr(said):
        try:
            with patch.object(steps, "crawl_sites", make_crawl(at, addresses, seed)):
                night = run_night(data, read_config(config))
        except Exception as error:
            code = exit_code(error)
            if code is None:
                raise
            return Ended(code, message(error), said.getvalue())
    return Ended(DONE if night.status == "done" else PARTIAL, night.headline, said.getvalue())


def accept_what_is_so(data: Path, config: Path, at: datetime, addresses: Addresses) -> tuple[str, ...]:
    """The operator in the morning: has every page read (`crawl --all`, `build`), looks at a few, accepts what is held.

    Gives the measures. One night reads what is due: without the others each of the next nights would be held again.
    """
    settings = read_config(config)
    with clock_at(at), contextlib.redirect_stderr(io.StringIO()), open_store(data, command="crawl") as store:
        make_crawl(at, addresses, 0, everything=True)(store, settings)
        report = steps.build_corpus(store, DataFolder(data), settings)
        held = {row.host for row in report.gates if row.state == "held"}
        why = "looked at three pages: the site is so now"
        rows = [row for host in held for row in accept(store, host, None, by="operator", why=why, at=steps.now())]
    return tuple(sorted({row.measure for row in rows}))


def make_crawl(at: datetime, addresses: Addresses, seed: int, *, everything: bool = False) -> Callable[..., CrawlRow]:
    """The crawl of a night, with the moments of its clock, its hosts where they answer, and no waits."""

    def crawl_sites(store: Store, config: Config, **_: object) -> CrawlRow:
        sites = [replace(site.site(), resolve=addresses, limits=LIMITS) for site in config.site]
        clock, random = Clock(at), Random(seed)
        return asyncio.run(
            crawl(store, sites, user_agent=config.user_agent, clock=clock, random=random, everything=everything)
        )

    return crawl_sites


@contextmanager
def clock_at(at: datetime) -> Iterator[None]:
    """The clock of the steps after the crawl: an hour later."""
    real = steps.now
    steps.now = lambda: at + timedelta(hours=1)
    try:
        yield
    finally:
        steps.now = real


def cpu_s() -> float:
    """Seconds of processor time of this process and of those that it waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def disk(data: Path) -> Mapping[str, int]:
    """Bytes of the data folder, by its parts."""
    parts: dict[str, int] = {}
    for path in data.rglob("*"):
        if path.is_file():
            part = path.relative_to(data).parts[0].partition(".")[0]
            parts[part] = parts.get(part, 0) + path.stat().st_size
    return parts


TESTS = Path(__file__).parents[2]
KILLED = -signal.SIGKILL


def run_troubled(data: Path, config: Path, at: datetime, addresses: Addresses, seed: int, trouble: str) -> Ended:
    """The night in a process of its own."""
    where = [f"{host}={port}" for host, (_, port) in addresses.items()]
    call = [sys.executable, "-m", "builders.month.night", data, config, at.isoformat(), seed, trouble, *where]
    done = subprocess.run([*map(str, call)], cwd=TESTS, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode == KILLED:
        return Ended(KILLED, f"killed ({trouble})", done.stderr)
    assert done.returncode == 0, done.stderr
    code, line = json.loads(done.stdout.splitlines()[-1])
    return Ended(code, line, done.stderr)


def kill_at(stage: str, tick: int) -> None:
    """This process kills itself at a tick of a stage. It commits often, as a long night does."""
    import_module("verdicts.fetch.run.crawl").COMMIT_EVERY_S = 0.02
    ticks = Ticks(stage, tick)
    if stage == "fetch":
        ticks.before(Store, "log", lambda: "fetch")
    else:
        ticks.before(import_module("verdicts.warehouse.loading.load"), "merge", lambda: "load")


def main() -> None:
    data, config, at, seed, trouble, *where = sys.argv[1:]
    addresses = {host: ("127.0.0.1", int(port)) for host, _, port in (item.partition("=") for item in where)}
    kind, *how = trouble.split(":")
    if kind == "kill":
        kill_at(how[0], int(how[1]))
    else:
        sys.dont_write_bytecode = True  # it would be cut, too, and break each later process
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(how[0]), int(how[0])))
    ended = run(Path(data), Path(config), datetime.fromisoformat(at), addresses, seed=int(seed))
    print(json.dumps([ended.code, ended.line]))


if __name__ == "__main__":
    main()
