"""What a night changed in the corpus: its published copy compared with the previous one. Reads only."""

from pathlib import Path

import duckdb

from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.record import Absent, Changed, CorpusChanges
from verdicts.warehouse.serving.published import copies_to_point_to
from verdicts.warehouse.serving.query import Answer, answer_of, opened_for_questions, question_of
from verdicts.warehouse.storage.errors import WarehouseError

SQL = Path(__file__).parent / "sql"

CHANGES_SHOWN = 15
"""Changes of each kind. `verdicts query` and `verdicts diff` show all."""

UNAPPLIED = "unapplied_corrections"
"""The question that the present copy alone answers."""


def compare_copies(folder: DataFolder, published: str) -> CorpusChanges | Absent:
    """What the copy of a night changed for readers."""
    present = folder.serve / published
    if not present.is_file():
        return f"The copy that the night published, {published}, no longer exists."
    try:
        copies = copies_to_point_to(folder.serve)
        earlier = copies[: copies.index(present)] if present in copies else []
        before = earlier[-1] if earlier else None
        with opened_for_questions(present, before=before) as connection:
            return _changes(connection, present, before)
    except (WarehouseError, OSError) as broken:
        return f"The published copy cannot be read: {broken}"


def _changes(connection: duckdb.DuckDBPyConnection, present: Path, before: Path | None) -> CorpusChanges:
    def ask(name: str, **parameters: int) -> Answer:
        sql = (SQL / f"{name}.sql").read_text(encoding="utf-8")
        return answer_of(question_of(connection, sql, parameters or None))

    def changed(name: str) -> Changed:
        rows = ask(name, most=CHANGES_SHOWN).rows if before is not None or name == UNAPPLIED else []
        return Changed(rows[0][0] if rows else 0, tuple(tuple(row[1:]) for row in rows))

    now = ask("counts")
    earlier = ask("counts_before").rows[0] if before is not None else (None,) * len(now.columns)
    return CorpusChanges(
        published=present.name,
        before=None if before is None else before.name,
        counts=tuple(zip(now.columns, now.rows[0], earlier, strict=True)),
        new_tools=changed("new_tools"),
        vanished_tools=changed("vanished_tools"),
        verdicts=changed("turned_verdicts"),
        reviews=changed("changed_reviews"),
        prices=changed("changed_prices"),
        fill_rates=tuple((name, filled, rows) for name, filled, rows in ask("fill_rates").rows),
        corrections=changed(UNAPPLIED),
        reserved=ask("reserved").rows[0][0],
    )
