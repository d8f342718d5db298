"""The parts of a folder, from outside: started, stopped, asked for."""

import fcntl
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
PID = "keeper.pid"
"""Locked as long as its process runs, so that no other process is ever taken for it."""
ENV = "env.sh"
LOG = "keeper.log"
STOP_S = 60.0


@contextmanager
def real_parts(folder: Path, workers: int = 2) -> Iterator[Mapping[str, str]]:
    """The parts in a folder that is made for them; gives their environment. They end with this process at the latest.

    What the environment names: AWS_*, STORE_URL (`s3://` and a bucket), POSTGRES_URL, DASK_SCHEDULER.
    """
    with _keeper(folder, workers, "--until-eof") as keeper:
        try:
            _wait_until_ready(folder, keeper)
            yield read_env(folder)
        finally:
            assert keeper.stdin is not None
            keeper.stdin.close()
            stop(folder)


def start(folder: Path, workers: int) -> None:
    """Starts the parts for good. Ends the process where one of them fails."""
    with _keeper(folder, workers) as keeper:
        try:
            _wait_until_ready(folder, keeper)
        except BaseException:
            stop(folder)
            raise
        # It goes on alone.
        keeper.returncode = 0


def _keeper(folder: Path, workers: int, *options: str) -> subprocess.Popen[bytes]:
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        sys.exit(f"{folder} is there already: 'stop' removes it")
    # Postgres runs as somebody else.
    folder.chmod(0o755)
    (folder / PID).touch()
    call = [sys.executable, "-m", "benchmarks.parts", "keep", str(folder), "--workers", str(workers), *options]
    with (folder / LOG).open("wb") as log:
        return subprocess.Popen(
            call, cwd=CHECKOUT, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True
        )


def _wait_until_ready(folder: Path, keeper: subprocess.Popen[bytes]) -> None:
    while not (folder / ENV).exists():
        if keeper.poll() is not None:
            sys.exit((folder / LOG).read_text(encoding="utf-8", errors="replace"))
        time.sleep(0.1)


def read_env(folder: Path) -> dict[str, str]:
    """What `env.sh` says; nothing while the parts start."""
    if not (folder / ENV).exists():
        return {}
    lines = (shlex.split(line)[1] for line in (folder / ENV).read_text(encoding="utf-8").splitlines())
    return dict(line.split("=", 1) for line in lines)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """This process is the keeper of the folder."""
    with (folder / PID).open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        file.write(str(os.getpid()))
        file.flush()
        yield


def is_kept(folder: Path) -> bool:
    """Whether the keeper of the folder runs."""
    try:
        with (folder / PID).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def stop(folder: Path) -> None:
    """Ends the parts and removes the folder. A folder that holds no parts is left alone."""
    if not (folder / PID).exists():
        return
    gives_up_at = time.monotonic() + STOP_S
    # Of a keeper that was killed a part may be about to end.
    while is_kept(folder) or _working_in(folder):
        if time.monotonic() > gives_up_at:
            sys.exit(f"processes go on in {folder}: {_working_in(folder)}")
        # Its id is written a moment after its lock is taken, and gone with the folder.
        with suppress(OSError, ValueError):
            if is_kept(folder):
                os.kill(int((folder / PID).read_text(encoding="utf-8")), signal.SIGTERM)
        time.sleep(0.1)
    if folder.exists():
        shutil.rmtree(folder)


def _working_in(folder: Path) -> list[int]:
    """The processes whose working folder is in a folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            place = (entry / "cwd").readlink()
        except OSError:
            continue
        if place.is_relative_to(folder):
            found.append(int(entry.name))
    return found
