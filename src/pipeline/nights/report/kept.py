"""The reports that a data folder keeps: where they are, and what stands in them."""

from dataclasses import dataclass
from pathlib import Path

from verdicts.fetch.given_files import read_file
from verdicts.fetch.store import checksums
from verdicts.pipeline.data_folder import DataFolder


@dataclass(frozen=True, slots=True)
class Report:
    """The two files of a report."""

    html: Path
    markdown: Path


def report_at(folder: DataFolder, night_id: str) -> Report:
    """Where the report of a night is, if it is kept."""
    return Report(folder.reports / f"{night_id}.html", folder.reports / f"{night_id}.md")


def kept_report(folder: DataFolder, night_id: str, form: str) -> str | None:
    """The text of a report in `.html` or `.md`, as it was written after the night; None where it is not kept.

    Raises `StoreDamaged`.
    """
    report = report_at(folder, night_id)
    path = report.html if form == ".html" else report.markdown
    if not path.exists():
        return None
    checksums.check(path)
    return read_file(path).decode(errors="replace")


def newest_report(folder: DataFolder) -> Path | None:
    """The Markdown of the newest night that has a report."""
    return max(folder.reports.glob("*.md"), default=None, key=lambda path: path.stem)
