"""Runs a function over batches, on the cores of this machine or on a cluster."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TYPE_CHECKING, Protocol, TypeVar

from verdicts.pipeline.pipeline_errors import ConfigError, EngineFailed
from verdicts.pipeline.workers.pool import count_cores

if TYPE_CHECKING:
    from verdicts.pipeline.sources.config_sections import ScaleConfig

B = TypeVar("B")
R = TypeVar("R")


class Engine(Protocol):
    def run(self, function: Callable[[B], R], batches: Sequence[B]) -> Iterator[R]:
        """Calls a module's function with each batch, and yields the results as they come, in any order.

        Batches and results are small and can be pickled, and `str` of a batch is its name in messages. A batch may run
        more than once, even in parallel, and gives one result. Raises what `function` raises, and `EngineFailed` if a
        batch kills its workers repeatedly.
        """


def make_engine(scale: "ScaleConfig") -> Engine:
    """The engine of `[scale]`, or the cores of this machine. Raises `ConfigError`."""
    if scale.scheduler is None:
        return LocalEngine(count_cores())
    check_dask()
    from verdicts.pipeline.engine.dask import DaskEngine

    return DaskEngine(scale.scheduler)


def check_dask() -> None:
    """Raises `ConfigError` if the packages of the extra are missing."""
    try:
        import distributed  # noqa: F401
    except ModuleNotFoundError as error:
        raise ConfigError(
            "the scheduler of [scale] needs the extra 'scale'; in a checkout run 'uv sync --extra scale'"
        ) from error


class LocalEngine:
    """An `Engine` on this machine. One worker is this process; several are processes that end with the engine."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None

    def run(self, function: Callable[[B], R], batches: Sequence[B]) -> Iterator[R]:
        """See `Engine.run`."""
        if self._workers == 1:
            yield from map(function, batches)
            return
        if self._pool is None:
            # A forked process would inherit locks of polars' threads.
            self._pool = ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"))
        futures = [self._pool.submit(function, batch) for batch in batches]
        try:
            for future in as_completed(futures):
                yield future.result()
        except BrokenProcessPool as error:
            self._pool = None
            raise EngineFailed("a process ended while it worked on a batch: out of memory, or killed") from error
        finally:
            for future in futures:
                future.cancel()
