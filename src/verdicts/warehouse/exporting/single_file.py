"""Writes the published corpus as one file, for programs that open no Parquet: a workbook or a SQLite database."""

from os.path import realpath
from pathlib import Path

from verdicts.corpus.error_notes import ending_with
from verdicts.fetch.input_files import sync
from verdicts.warehouse.exporting.contents import DEFAULT_SETTINGS, DatasetSettings
from verdicts.warehouse.exporting.export import ExportReport, read_edition
from verdicts.warehouse.exporting.sqlite_file import write_sqlite
from verdicts.warehouse.exporting.without_reserved import open_for_export
from verdicts.warehouse.exporting.workbook import write_workbook

WRITERS = {".xlsx": write_workbook, ".sqlite": write_sqlite, ".sqlite3": write_sqlite, ".db": write_sqlite}
"""What writes a file, by the end of its name. Each returns what the format could not hold."""


def export_file(published_db: Path, target: Path, settings: DatasetSettings = DEFAULT_SETTINGS) -> ExportReport:
    """Writes the tables of a dataset to the file `target`, by the end of its name; the file is replaced in one step.

    Raises NothingPublished if the tables are of another version, WarehouseLocked, WarehouseBroken.
    """
    target = Path(realpath(target))
    draft = target.with_name(f".{target.stem}.partial{target.suffix}")
    draft.unlink(missing_ok=True)
    draft.touch()
    with ending_with(lambda: draft.unlink(missing_ok=True)):
        with open_for_export(published_db, draft.with_suffix(".duckdb"), settings) as (connection, reserved):
            edition = read_edition(connection, settings, reserved)
            notes = WRITERS[target.suffix.lower()](draft, connection, edition)
        sync(draft)
        draft.replace(target)
        sync(target.parent)
    return ExportReport(target, 1, reserved, tuple(notes))
