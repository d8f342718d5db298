"""The command line as its users call it: a process of its own."""

import fcntl
import io
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import duckdb
import pytest

from verdicts.commands import cli
from verdicts.corpus.tables import TABLES, name_relation

JOURNAL = ("crawls", "fetches", "gate_measures", "gate_accepts", "loads", "load_counts", "changes")
"""Tables in which a night notes that it was."""

RUN_MAIN = "from verdicts.commands.cli import main; main()"

WITHOUT_PREFECT = f"import sys; sys.modules['prefect'] = None; {RUN_MAIN}"
"""To import Prefect is an error."""


def verdicts(*args: str | Path, cwd: Path, code: str = RUN_MAIN, **env: str) -> subprocess.CompletedProcess[str]:
    """One command, without a Prefect API but for what `env` says. `code` is what the process runs."""
    call = [sys.executable, "-c", code, *map(str, args)]
    env = without_an_api(cwd) | env
    return subprocess.run(call, cwd=cwd, env=env, capture_output=True, text=True, timeout=240, check=False)


def run_here(*args: str | Path, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """The same in this process, which has its imports behind it: a tenth of the time. No signal is taken."""
    call = ["verdicts", *map(str, args)]
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    environment = patch.dict(os.environ, without_an_api(cwd) | env, clear=True)
    with chdir(cwd), environment, patch.object(sys, "argv", call), redirect_stdout(out), redirect_stderr(err):
        code = cli._run_logged()
    said = []
    for stream in (out, err):
        stream.seek(0)
        said.append(stream.read())
    return subprocess.CompletedProcess(call, code, *said)


def run_well(*args: str | Path, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """`called`, where the command has nothing to complain of."""
    done = run_here(*args, cwd=cwd, **env)
    assert done.returncode == 0, done
    return done


def check_refusal(done: subprocess.CompletedProcess[str], *words: str, code: int = 1) -> None:
    """The command ended with this code, and with one line that has these words."""
    assert (done.returncode, done.stderr.count("\n")) == (code, 1), done
    assert [word for word in words if word not in done.stderr] == [], done.stderr


def write_config(folder: Path, port: int, path: str = "/", delay_s: float = 0) -> Path:
    """A config to crawl a host of this machine from this path."""
    config = folder / "verdicts.toml"
    config.write_text(
        f'user_agent = "test"\n[[site]]\nhosts = ["127.0.0.1"]\nallow_private = true\ndelay_s = {delay_s}\n'
        f'start_urls = ["http://127.0.0.1:{port}{path}"]\n'
    )
    return config


def without_an_api(cwd: Path) -> dict[str, str]:
    """The environment of this process, with no Prefect API configured."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    return own | {"PREFECT_HOME": str(cwd / "no-prefect")}


def read_summary(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """The closing lines of a build or a night: what was counted, and its number as printed."""
    lines = done.stdout.partition("\n\nnext:")[0].splitlines()
    return dict(line.rsplit(maxsplit=1) for line in lines)


def read_tables(
    corpus: Path, *, without: tuple[str, ...] = JOURNAL, without_columns: frozenset[str] = frozenset()
) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every declared table, sorted, for comparing two states of a corpus; views follow from them."""
    with duckdb.connect(str(corpus), read_only=True) as connection:
        held = connection.execute("SELECT table_name FROM duckdb_tables() ORDER BY ALL").fetchall()
        return {
            name: sorted(
                connection.execute(
                    f"SELECT {_columns(connection, name_relation(name), without_columns)} FROM {name_relation(name)}"
                ).fetchall(),
                key=repr,
            )
            for (name,) in held
            if name in TABLES and name not in without
        }


def _columns(connection: duckdb.DuckDBPyConnection, table: str, without: frozenset[str]) -> str:
    names = [name for name, *_ in connection.execute(f"DESCRIBE {table}").fetchall()]
    return ", ".join(f'"{name}"' for name in names if name not in without)


def find_published_file(data: Path) -> Path:
    return data / "serve" / (data / "serve" / "current").read_text().strip()


STYLES = re.compile(r"\x1b\[[0-9;]*m")
"""What rich writes for bold and colours."""


@contextmanager
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    """A terminal as standard output and standard error; what was written to it, once the context has ended."""
    ours, theirs = pty.openpty()
    written: list[bytes] = []
    reader = threading.Thread(target=lambda: written.extend(_chunks(ours)))
    reader.start()
    with os.fdopen(theirs, "w", encoding="utf-8") as stream, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        patch.setattr(sys, "stderr", stream)
        yield written
    reader.join()
    os.close(ours)


def print_on_terminal(monkeypatch: pytest.MonkeyPatch, *call: str | Path, columns: int = 100, lines: int = 50) -> str:
    """What a command leaves on a terminal of that size, without bold and colours. It runs in this process."""
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", str(lines))
    monkeypatch.setattr(sys, "argv", ["verdicts", *map(str, call)])
    with terminal(monkeypatch) as written, patch.dict(os.environ):
        cli._run_logged()
    return _plain(written)


def print_from_process(*call: str | Path, cwd: Path, columns: int) -> str:
    """The same of a process of its own, which asks the terminal how wide it is."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    command = [sys.executable, "-m", "verdicts", *map(str, call)]
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=cwd, env=environment)
    os.close(theirs)
    written = list(_chunks(ours))
    process.wait(60)
    os.close(ours)
    return _plain(written)


def _chunks(end: int) -> Iterator[bytes]:
    try:
        while chunk := os.read(end, 1 << 16):
            yield chunk
    except OSError:
        return  # the other end is closed


def _plain(written: list[bytes]) -> str:
    return STYLES.sub("", b"".join(written).decode().replace("\r\n", "\n"))
