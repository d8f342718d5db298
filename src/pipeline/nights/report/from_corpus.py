"""What the night changed in the corpus: the copy that it published, beside the one before. Reads only."""

from pathlib import Path
from typing import Any

import duckdb

from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.ending import NightEnding
from verdicts.pipeline.nights.report.facts import Absent, CorpusChanges, Count, Filled, Some, Tool, Turned, some
from verdicts.warehouse.serving.published import copies_to_point_to
from verdicts.warehouse.serving.query import Answer, answer_of, opened_for_questions, question_of
from verdicts.warehouse.storage.errors import WarehouseError

SQL = Path(__file__).parent / "sql"

ROWS = 15
"""Changes of a kind that are shown; `verdicts query` and `verdicts diff` have them all."""


def corpus_changes(folder: DataFolder, ending: NightEnding) -> CorpusChanges | Absent:
    """What readers have from the night, and what is new to them."""
    if ending.published is None:
        return Absent("The night published nothing: readers have what they had.")
    present = folder.serve / ending.published
    if not present.is_file():
        return Absent(f"The copy that the night published, {ending.published}, is not there any more.")
    try:
        before = _copy_before(folder, present)
        with opened_for_questions(present, before=before) as connection:
            return _changes(connection, present, before)
    except (WarehouseError, OSError) as broken:
        return Absent(f"The published copy cannot be read: {broken}")


def _copy_before(folder: DataFolder, present: Path) -> Path | None:
    copies = copies_to_point_to(folder.serve)
    earlier = copies[: copies.index(present)] if present in copies else []
    return earlier[-1] if earlier else None


def _changes(connection: duckdb.DuckDBPyConnection, present: Path, before: Path | None) -> CorpusChanges:
    def ask(name: str, *, most: int | None = None) -> Answer:
        sql = (SQL / f"{name}.sql").read_text(encoding="utf-8")
        return answer_of(question_of(connection, sql, None if most is None else {"most": most}))

    def changes(name: str) -> Some[tuple[Any, ...]]:
        rows = ask(name, most=ROWS).rows if before is not None else []
        return some([tuple(row[1:]) for row in rows], rows[0][0] if rows else 0)

    now = ask("counts")
    earlier = ask("counts_before").rows[0] if before is not None else (None,) * len(now.columns)
    counts = [Count(*named) for named in zip(now.columns, now.rows[0], earlier, strict=True)]
    new, vanished = changes("new_tools"), changes("vanished_tools")
    verdicts, prices = changes("turned_verdicts"), changes("changed_prices")
    return CorpusChanges(
        published=present.name,
        before=None if before is None else before.name,
        counts=tuple(counts),
        new_tools=Some(tuple(Tool(*row) for row in new.shown), new.total),
        vanished_tools=Some(tuple(Tool(*row) for row in vanished.shown), vanished.total),
        verdicts=Some(tuple(Turned(*row) for row in verdicts.shown), verdicts.total),
        prices=Some(tuple(Turned(*row) for row in prices.shown), prices.total),
        fill_rates=tuple(Filled(*row) for row in ask("fill_rates").rows),
    )
