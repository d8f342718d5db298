"""The night's report as an artifact of its flow run: `night-report` in Prefect's pages."""

from collections.abc import Iterator
from contextlib import contextmanager

from prefect.artifacts import create_markdown_artifact

from verdicts.fetch.model.errors import StoreLocked
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.exit_codes import message
from verdicts.pipeline.nights.report import newest_report
from verdicts.pipeline.progress import say

KEY = "night-report"


@contextmanager
def report_as_artifact(folder: DataFolder) -> Iterator[None]:
    """Keeps the report that the body writes, also where the body fails. That it cannot be kept fails nothing."""
    before = newest_report(folder)
    try:
        yield
    except StoreLocked:
        # The report that came meanwhile is that of the other run.
        raise
    except Exception:
        _keep_newer(folder, before)
        raise
    _keep_newer(folder, before)


def _keep_newer(folder: DataFolder, before: object) -> None:
    try:
        newest = newest_report(folder)
        if newest is not None and newest != before:
            text = newest.read_text(encoding="utf-8")
            create_markdown_artifact(text, key=KEY, description=f"The report of night {newest.stem}")
    except Exception as error:
        # Whatever the server or the client fails on: the night is done.
        say(f"the report could not be kept as an artifact: {type(error).__name__}: {message(error)}")
