"""The log of a flow run: what this program says, one line an event. Nothing of other libraries."""

import logging

from prefect.logging.handlers import APILogHandler

LOGGERS = ("verdicts", "fetch")


def keep_in_run() -> None:
    """From now on what the program logs is in the log of the flow run, or of the task run, that it happens in.

    Warnings and errors stay on standard error, too.
    """
    for name in LOGGERS:
        logger = logging.getLogger(name)
        if any(isinstance(handler, APILogHandler) for handler in logger.handlers):
            continue
        on_stderr = logging.StreamHandler()
        on_stderr.setLevel(logging.WARNING)
        for handler in (APILogHandler(), on_stderr):
            logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        # Handlers that Prefect gives to the root would print each line once more.
        logger.propagate = False
