"""Functions of batches that tests have worked on in other processes."""

import os
import signal
import time
from pathlib import Path
from typing import NamedTuple

from verdicts.fetch.model.errors import StoreDamaged


class Visit(NamedTuple):
    """A batch that leaves a file for each time it was worked on."""

    folder: str
    number: int

    def __str__(self) -> str:
        return f"visit {self.number}"


def visit(batch: Visit) -> int:
    (Path(batch.folder) / f"{batch.number}-{os.getpid()}-{time.monotonic_ns()}").touch()
    return batch.number


def visit_once_let(batch: Visit) -> int:
    """Goes on once there is a file `go`."""
    visit(batch)
    while not (Path(batch.folder) / "go").exists():
        time.sleep(0.01)
    return batch.number


def die(batch: Visit) -> int:
    visit(batch)
    os.kill(os.getpid(), signal.SIGKILL)
    return batch.number


def find_damage(batch: Visit) -> int:
    if batch.number == 3:
        raise StoreDamaged(Path("raw/1.warc.zst"), 17, "no record begins there")
    return batch.number


def visits(folder: Path) -> list[int]:
    return sorted(int(path.name.partition("-")[0]) for path in folder.glob("*-*-*"))


def once(met) -> None:
    """Returns when it is so."""
    gives_up_at = time.monotonic() + 30
    while not met():
        assert time.monotonic() < gives_up_at
        time.sleep(0.01)
