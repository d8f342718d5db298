"""Writes the report of a night: a pair of files, there whole or not at all; the newest 90 pairs stay."""

from contextlib import suppress
from pathlib import Path

from verdicts.fetch.store import checksums
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.ending import NightEnding
from verdicts.pipeline.nights.report.gather import facts_of
from verdicts.pipeline.nights.report.html import html_of
from verdicts.pipeline.nights.report.kept import Report, report_at
from verdicts.pipeline.nights.report.markdown import markdown_of
from verdicts.pipeline.sources.config_sections import CareConfig
from verdicts.warehouse.storage.durable import replace_text

PAIRS_KEPT = 90
"""Reports of the newest nights; a quarter of a year, under 30 MB."""


def write_report(folder: DataFolder, care: CareConfig, ending: NightEnding) -> Report:
    """Gathers, renders, writes, and removes the pairs beyond the newest 90.

    Raises `OSError`; nothing is left then of what was begun.
    """
    facts = facts_of(folder, care, ending)
    report = report_at(folder, ending.night_id)
    folder.reports.mkdir(parents=True, exist_ok=True)
    try:
        for path, text in ((report.html, html_of(facts)), (report.markdown, markdown_of(facts))):
            with checksums.replaced(path):
                replace_text(path, text)
    except BaseException:
        with suppress(OSError):
            report.html.unlink(missing_ok=True)
            checksums.forget(report.html)
        raise
    _remove_old(folder.reports)
    return report


def _remove_old(reports: Path) -> None:
    nights = sorted({path.stem for path in reports.glob("*.html")} | {path.stem for path in reports.glob("*.md")})
    for night_id in nights[:-PAIRS_KEPT]:
        for suffix in (".html", ".md"):
            path = reports / f"{night_id}{suffix}"
            path.unlink(missing_ok=True)
            checksums.forget(path)
    # Of a night that was killed in mid-report.
    for draft in reports.glob(".*.tmp"):
        draft.unlink(missing_ok=True)
