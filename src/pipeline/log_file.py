"""The log file of a data folder, rotated."""

import logging
import os
from logging.handlers import RotatingFileHandler
from pathlib import Path

from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.logs import LOGGERS, JsonLines, ids

FILE_BYTES = 10_000_000
FILES_KEPT = 9
"""Beside the current file: 100 MB in all. A night writes some dozen lines, a failing one some thousand."""


class LogFile(RotatingFileHandler):
    """The log file of a data folder. It creates no folder for a mistyped path. A full disk only costs lines."""

    def __init__(self, folder: DataFolder) -> None:
        super().__init__(
            folder.log,
            maxBytes=FILE_BYTES,
            backupCount=FILES_KEPT,
            encoding="utf-8",
            errors="backslashreplace",
            delay=True,
        )
        self._folder = folder
        self.setFormatter(JsonLines())

    def emit(self, record: logging.LogRecord) -> None:
        if not self._folder.is_one():
            return
        path = Path(self.baseFilename)
        try:
            path.parent.mkdir(exist_ok=True)
        except OSError:
            return
        if path.is_fifo():
            # Writing to a pipe without a reader would wait.
            return
        super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  logging's name
        """Silent: important lines are on standard error too."""


def log_to(folder: DataFolder, command: str) -> None:
    """From now on, writes each line to the log file of this data folder, and to no other."""
    ids.command = command
    path = os.fspath(folder.log.absolute())
    for name in LOGGERS:
        logger = logging.getLogger(name)
        for other in [own for own in logger.handlers if isinstance(own, LogFile) and own.baseFilename != path]:
            logger.removeHandler(other)
            other.close()
        if all(getattr(handler, "baseFilename", None) != path for handler in logger.handlers):
            logger.addHandler(LogFile(folder))
            logger.setLevel(logging.INFO)
