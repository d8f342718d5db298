"""The files of reports: an HTML page and its Markdown for each night; the newest 90 pairs are kept."""

from pathlib import Path

from verdicts.fetch.given_files import read_file
from verdicts.pipeline.data_folder import DataFolder

FORMS = (".html", ".md")
"""File name endings."""

PAIRS_KEPT = 90
"""A quarter of a year, less than 30 MB."""


def report_path(folder: DataFolder, night_id: str, form: str) -> Path:
    return folder.reports / f"{night_id}{form}"


def kept_report(folder: DataFolder, night_id: str, form: str) -> str | None:
    """A report in `.html` or `.md`, or None if it is not kept."""
    path = report_path(folder, night_id, form)
    if not path.exists():
        return None
    return read_file(path).decode(errors="replace")


def newest_report(folder: DataFolder) -> Path | None:
    """The Markdown of the newest report."""
    return max(folder.reports.glob("*.md"), default=None, key=lambda path: path.stem)


def remove_old(reports: Path) -> None:
    nights = sorted({path.stem for form in FORMS for path in reports.glob(f"*{form}")})
    for night_id in nights[:-PAIRS_KEPT]:
        for form in FORMS:
            path = reports / f"{night_id}{form}"
            path.unlink(missing_ok=True)
    # A night that was killed may leave drafts.
    for draft in reports.glob(".*.tmp"):
        draft.unlink(missing_ok=True)
