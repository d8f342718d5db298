"""One piece of work in a process of its own: what a library does to that process costs the work, and nothing else.

    python -P -m verdicts.pipeline.workers.apart FD

FD is the descriptor of a pipe. The process sends `None` once it is ready, takes a function with its arguments, and
sends what the function returned or raised.
"""

import faulthandler
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import IO, Any, TypeVar, cast

from verdicts.pipeline.logs import note
from verdicts.pipeline.workers.process import START_S, Worker, end_with_parent, end_worker, start_process

R = TypeVar("R")

SAID_BYTES = 4_000
"""Kept in the log from the end of its standard error, where Python reports a crash."""


class EndedEarly(Exception):
    """The process ended before its work was done, or was killed after its time. The message says how."""


def done_apart(work: Callable[..., R], *arguments: object, within_s: float) -> R:
    """Calls `work`, a module's function, in another process. Function, arguments and result are pickled.

    Raises what `work` raises, `EndedEarly`, and `StorageFailed` if no process can be started. The process is always
    gone afterwards.
    """
    with tempfile.TemporaryFile() as said:
        worker = start_process("verdicts.pipeline.workers.apart", stderr=said)
        try:
            result, error = _outcome(worker, (work, arguments), within_s)
        except (EOFError, ConnectionError):
            raise EndedEarly(_how_it_ended(worker.process.wait(), said)) from None
        finally:
            end_worker(worker)
    if error is not None:
        raise error
    return cast("R", result)


def _outcome(worker: Worker, job: tuple[Callable[..., object], tuple[object, ...]], within_s: float) -> Any:  # noqa: ANN401
    _await(worker.connection, START_S, "did not start")
    worker.connection.recv()
    worker.connection.send(job)
    _await(worker.connection, within_s, "was not done")
    return worker.connection.recv()


def _await(connection: Connection, seconds: float, what: str) -> None:
    # Checked twice: if this process was stopped meanwhile, the time is over before it looked.
    if not connection.poll(seconds) and not connection.poll():
        raise EndedEarly(f"{what} within {seconds:,.0f} s and was ended")


def _how_it_ended(code: int, said: IO[bytes]) -> str:
    said.seek(max(0, said.seek(0, os.SEEK_END) - SAID_BYTES))
    words = said.read().decode(errors="replace").strip()
    note("process_ended", f"a process ended with {code}", said=words)
    if code < 0:
        return f"was ended by signal {-code} ({signal.strsignal(-code)})"
    last = words.rpartition("\n")[2]
    return f"ended with code {code} before it was done" + (f" ({last})" if last else "")


def _done(work: Callable[..., object], arguments: tuple[object, ...]) -> tuple[object, BaseException | None]:
    try:
        return work(*arguments), None
    except BaseException as error:  # it is raised where the work is waited for
        # Pickling drops the traceback, so it is added as a note.
        error.add_note(traceback.format_exc())
        return None, error


def main() -> None:
    end_with_parent()
    faulthandler.enable()
    connection: Connection = Connection(int(sys.argv[1]))
    # The pipe ends when nobody waits for the result any more.
    with suppress(EOFError, ConnectionError):
        connection.send(None)
        connection.send(_done(*connection.recv()))


if __name__ == "__main__":
    main()
