"""While it runs: signals, limits of the machine, two at once, and configs that cannot be meant."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from builders.command import RUN_MAIN
from builders.faults.call_case import DONE, REFUSED, STORAGE, CallCase, own_env

SIGNALS, LIMITED, CONFIGS, TWICE = "signals", "limits of the machine", "configs", "two at once"
ENDED = {
    signal.SIGINT: frozenset({130, 0}),
    signal.SIGTERM: frozenset({130, 143, 0}),
    signal.SIGHUP: frozenset({130, 129, 0}),
}
"""Interrupted, by the documented code or that of a shell; or done before the signal came."""


def after(seconds: float, *signals: signal.Signals) -> Callable[[subprocess.Popen], None]:
    """Sends the signals, a twentieth of a second apart, so long after the start."""

    def disturb(process: subprocess.Popen) -> None:
        time.sleep(seconds)
        for sent in signals:
            if process.poll() is None:
                process.send_signal(sent)
            time.sleep(0.05)

    return disturb


def interrupted(args: tuple[str, ...], seconds: float, *sent: signal.Signals, home: str = "night") -> CallCase:
    names = " and ".join(item.name for item in sent)
    again = ("crawl",) if args[0] == "crawl" else ("run",)
    return CallCase(SIGNALS, f"{names} in {' '.join(args)} after {seconds:g} s", "A9", args, ENDED[sent[0]], home=home,
        disturb=after(seconds, *sent),
                    spoil=lambda home: (home / "page.html").write_text("<p>Words of a page.</p>"),
                    then=(again, ("status",)))  # fmt: skip


INTERRUPTED = (
    *(interrupted(("run",), seconds, sent, home="empty") for seconds in (0.4, 1.2, 2.5)
        for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)),
    *(interrupted(args, 0.9, sent) for args in (("crawl",), ("build", "--all"), ("ingest", "page.html"),
        ("export", "data/dataset"), ("publish",)) for sent in (signal.SIGINT, signal.SIGTERM)),
    interrupted(("run",), 1.5, signal.SIGINT, signal.SIGINT, home="empty"), interrupted(("build", "--all"), 1.5,
        signal.SIGINT, signal.SIGINT), interrupted(("crawl",), 0.8, signal.SIGTERM, signal.SIGTERM),
)  # fmt: skip


def limited(
    name: str, what: str, bytes_: int | str, args: tuple[str, ...], codes: frozenset[int], home: str = "night", **more
) -> CallCase:
    code = f"import resource; resource.setrlimit(resource.RLIMIT_{what}, ({bytes_}, {bytes_})); {RUN_MAIN}"
    return CallCase(LIMITED, name, more.pop("rule", "faults 66"), args, codes, code=code, home=home,
                    spoil=lambda home: (home / "page.html").write_text("<p>Words of a page.</p>"), **more)  # fmt: skip


MACHINES = (
    *(limited(f"files of {size:,} bytes at most: {' '.join(args)}", "FSIZE", size, args,
        frozenset({0, 5}) if args[0] in {"crawl", "ingest"} else STORAGE, keeps=True, then=(args, ("publish",)))
      for size in (5_000, 100_000) for args in (("crawl",), ("build", "--all"), ("publish",),
          ("export", "data/dataset"), ("ingest", "page.html"))),
    limited("files of 100,000 bytes at most: run", "FSIZE", 100_000, ("run",), STORAGE, home="empty", then=(("run",),)),
    *(limited(f"{count} file handles: {' '.join(args)}", "NOFILE", count, args, frozenset({0, 2, 5}), rule="faults 66",
        then=(args,)) for count in (16, 64) for args in (("crawl",), ("build", "--all"), ("run",))),
    limited("64 file handles: sql", "NOFILE", 64, ("sql", "SELECT 1"), DONE),
    *(limited(f"1.5 GB of addresses: {' '.join(args)}", "AS", 1_500_000_000, args, frozenset({0, 5}), rule="A22",
        then=(args,)) for args in (("ingest", "page.html"), ("build", "--all"), ("crawl",), ("sql", "SELECT 1"))),
    limited("300 MB of addresses: run", "AS", 300_000_000, ("run",), frozenset({0, 5}), rule="A22", home="empty"),
)  # fmt: skip


def beside(*args: str) -> Callable[[Path], None]:
    def spoil(home: Path) -> None:
        subprocess.Popen(
            [sys.executable, "-c", RUN_MAIN, *args],
            cwd=home,
            env=own_env(home),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    return spoil


PAIRS = (
    *(CallCase(TWICE, f"{' '.join(args)} beside {other}", "faults 67", args, frozenset({0, 4}), spoil=beside(other),
        keeps=True) for other in ("crawl", "run") for args in (("crawl",), ("build",), ("publish",))),
    *(CallCase(TWICE, f"{' '.join(args)} beside {other}", "A12", args, DONE, spoil=beside(other))
        for other in ("publish", "run", "build") for args in (("sql", "SELECT count(*) FROM reviews"), ("status",))),
    CallCase(TWICE, "two first runs", "faults 67", ("run",), frozenset({0, 4}), spoil=beside("run"), home="empty"),
)  # fmt: skip

SITE = '[[site]]\nhosts = ["127.0.0.1"]\nallow_private = true\ndelay_s = 0\nstart_urls = ["http://127.0.0.1:9/"]\n'


def config(name: str, text: str | bytes, codes: frozenset[int] = REFUSED) -> CallCase:
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    return CallCase(
        CONFIGS,
        name,
        "docs/crawling",
        ("crawl",),
        codes,
        home="empty",
        spoil=lambda home: (home / "verdicts.toml").write_bytes(data),
    )


def with_key(line: str, codes: frozenset[int] = REFUSED) -> CallCase:
    key = line.partition(" = ")[0]
    kept = "".join(f"{old}\n" for old in SITE.splitlines() if not old.startswith(f"{key} = "))
    return config(line[:60], f'user_agent = "test"\n{kept}{line}\n', codes)


FAILED_RUN = frozenset({1, 2})
CONFIG = (
    config("as it should be", f'user_agent = "test"\n{SITE}', frozenset({2})),
    config("no text", b"\xff\xfe\0"), config("nothing", ""), config("a mark at its start",
        b"\xef\xbb\xbf" + f'user_agent = "test"\n{SITE}'.encode(), FAILED_RUN), config("nesting", "a = " + "[" * 5_000),
    *(config(f"user_agent {agent[:24]!r}", f"user_agent = {agent}\n{SITE}", codes) for agent, codes in (
        ('"a\\r\\nx: y"', REFUSED), ('"a\\u0000"', REFUSED), ('"vérité"', FAILED_RUN), ('"日本"', FAILED_RUN),
        ('""', REFUSED), ('" "', FAILED_RUN), ('"' + "x" * 100_000 + '"', FAILED_RUN), ("7", REFUSED))),
    *(with_key(line) for line in (
        "delay_s = nan", "delay_s = -1", "delay_s = -inf", "max_pages = 0", "max_pages = -1", "max_mb = 0",
        "connections = 0", "connections = 1000000", "revisit_hours = [20]", "revisit_hours = [nan, 5]",
        "revisit_hours = [5, 2]", "revisit_hours = [1, inf]", "revisit_hours = [1, 1e300]", "include = ['(']",
        "include = ['*']", 'start_urls = ["http://xn--a/"]', 'start_urls = ["http://127.0.0.1:99999/"]',
        'start_urls = ["file:///etc/passwd"]', 'start_urls = ["http://["]', "start_urls = []", "hosts = []",
        'hosts = ["a b"]', 'hosts = ["http://127.0.0.1/"]', 'hosts = [""]', 'sitemaps = ["http://c.example/x"]',
        "max_depth = -1")),
    *(with_key(line, FAILED_RUN) for line in ("delay_s = 0.0", "delay_s = inf", "delay_s = 1e300",
        "max_pages = 9999999999999999999999", "max_mb = 99999999999999999999", "max_depth = 99999999999999999999",
        "revisit_hours = [0, 1e6]",
                                              "include = ['(a+)+$']", "include = ['(?s).*']")),
)  # fmt: skip

CASES = (*INTERRUPTED, *MACHINES, *PAIRS, *CONFIG)
