"""Files given to `ingest`: each file and record is taken or named as unreadable, and a good page beside them is in."""

import os
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from builders.faults.crawl_case import START, in_words
from verdicts.fetch.run.ingest import ingest
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.errors import SourceMissing
from verdicts.pipeline.sources.page_files import find_sources

SECONDS = 30
BESIDE = "zz-beside.html"
GOOD_FILE = b"<html><body><p>A good file beside the bad ones.</p></body></html>"
GOOD_TARGET = "http://good.example/beside"


@dataclass(frozen=True)
class ArchiveCase:
    """Files by name, and what must be seen.

    `holds`: addresses that are in the store afterwards. `lacks`: that are not. `unreadable`: how many files and records
    the log must name as unreadable, at least. `is_refused`: the call itself may be refused in one line (exit 1).
    """

    kind: str
    name: str
    rule: str
    files: Mapping[str, bytes | Callable[[], bytes]]
    holds: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    unreadable: int = 0
    is_refused: bool = False
    given: tuple[str, ...] = ()
    """Paths that are named; the whole folder where none is."""


def fell(case: ArchiveCase, data: Path) -> list[str]:
    folder = data / "given"
    folder.mkdir(parents=True)
    for name, body in {**case.files, BESIDE: GOOD_FILE}.items():
        if callable(body):
            body = body()
        path = folder / os.fsdecode(os.fsencode(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        if body == FIFO:
            os.mkfifo(path)
        elif body.startswith(LINK):
            path.symlink_to(os.fsdecode(body.removeprefix(LINK)))
        else:
            path.write_bytes(body)
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(SECONDS)
    try:
        sources = find_sources([folder / name for name in case.given] or [folder], None)
        with open_store(data / "data", command="test") as store:
            run = ingest(store, sources, clock=lambda: START)
            log = store.fetches()
            held = {entry.url: store.read(entry.location).body for entry in store.index()}
    except SourceMissing as refused:
        return [] if case.is_refused else [f"the call is refused: {refused}"]
    except Exception as error:  # whatever ends the ingest is what is looked for
        return [f"the ingest ended with {in_words(error)}"]
    finally:
        signal.alarm(0)
    seen = [f"{url} is not held" for url in case.holds if url not in held]
    seen += [f"{url} is held" for url in case.lacks if url in held]
    if GOOD_FILE not in held.values():
        seen.append("the good file beside is not held")
    failed = [item for item in log if item.outcome == "unreadable"]
    if len(failed) < case.unreadable:
        seen.append(f"{len(failed)} unreadable in the log, must be {case.unreadable}")
    if (run.status == "partial") != bool(failed):
        seen.append(f"the run is {run.status} with {len(failed)} failed")
    return seen


FIFO, LINK = b"\0fifo", b"\0link "


def _too_long(*_: object) -> None:
    raise TimeoutError(f"not done within {SECONDS} s")
