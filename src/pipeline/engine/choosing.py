"""The engine that a config asks for."""

from pipeline.engine.engine import Engine
from pipeline.engine.local import LocalEngine
from pipeline.errors import ConfigError
from pipeline.workers.pool import cores


def engine_at(scheduler: str | None) -> Engine:
    """The workers of a Dask scheduler; without one the processes of this machine, one a core.

    Raises `ConfigError` where the packages for that are missing.
    """
    if scheduler is None:
        return LocalEngine(cores())
    try:
        from pipeline.engine.dask import DaskEngine  # noqa: PLC0415  who has no scheduler need not have Dask
    except ModuleNotFoundError as missing:
        if missing.name not in {"dask", "distributed"}:
            raise
        raise ConfigError("[scale] scheduler needs Dask: pip install 'verdicts[scale]'") from None
    return DaskEngine(scheduler)
