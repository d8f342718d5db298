"""The log of a flow run: what this program says, one line an event. Nothing of others, nor of Prefect."""

import logging

from prefect.context import FlowRunContext, TaskRunContext
from prefect.logging.handlers import APILogHandler

from verdicts.flows.own_process import is_own_process

LOGGERS = ("verdicts", "fetch")

END = logging.getLogger("verdicts.end")
"""What a run came to. Where a person called the flow, its command says it on standard error."""

PREFECTS = ("prefect.engine", "prefect.flow_runs", "prefect.task_runs")
"""`Finished in state Completed()` after each task, eighty lines of traceback for a mistyped key: the state says it."""


def keep_in_run() -> None:
    """From now on what the program logs is in the log of the flow run, or of the task run, that it happens in.

    Warnings and errors stay on standard error, too.
    """
    for name in PREFECTS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.setLevel(logging.INFO)
        # Handlers that Prefect gives to the root would print each line once more.
        logger.propagate = False
        if any(isinstance(handler, APILogHandler) for handler in logger.handlers):
            continue
        on_stderr = logging.StreamHandler()
        on_stderr.setLevel(logging.WARNING)
        on_stderr.addFilter(lambda record: record.name != END.name or is_own_process())
        in_run = APILogHandler()
        # Elsewhere it warns: `Logger 'verdicts.end' attempted to send logs to the API without a flow run id`.
        in_run.addFilter(lambda _: bool(FlowRunContext.get() or TaskRunContext.get()))
        for handler in (in_run, on_stderr):
            logger.addHandler(handler)
