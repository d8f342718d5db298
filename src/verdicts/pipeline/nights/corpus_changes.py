"""What a night changed in the corpus: its published copy compared with the previous one. Reads only."""

from pathlib import Path

from verdicts.pipeline.nights.record import Changed, CorpusChanges
from verdicts.warehouse.serving.published import copies_to_point_to
from verdicts.warehouse.serving.query import make_question, open_for_questions, read_answer

SQL = Path(__file__).parent / "sql"

CHANGES_SHOWN = 15
"""Changes of each kind. `verdicts query` and `verdicts diff` show all."""

UNAPPLIED = "unapplied_corrections"
"""The question that the present copy alone answers."""

QUESTIONS = (
    "turned_verdicts", "changed_reviews", "changed_prices", "new_tools", "vanished_tools", UNAPPLIED,
)  # fmt: skip


def compare_copies(serve: Path, published: str) -> CorpusChanges:
    """What a copy in the folder `serve` changed for readers. Raises `WarehouseError` and `OSError`."""
    present, copies = serve / published, copies_to_point_to(serve)
    earlier = copies[: copies.index(present)] if present in copies else []
    before = earlier[-1] if earlier else None
    with open_for_questions(present, before=before) as connection:
        answers = {
            path.stem: read_answer(
                make_question(
                    connection,
                    path.read_text(encoding="utf-8"),
                    {"most": CHANGES_SHOWN} if path.stem in QUESTIONS else None,
                )
            )
            for path in SQL.glob("*.sql")
            if before is not None or path.stem in ("counts", UNAPPLIED)
        }
    now = answers["counts"]
    then = answers["counts_before"].rows[0] if before is not None else (None,) * len(now.columns)
    changes = {
        name: Changed(answers[name].rows[0][0], tuple(tuple(row[1:]) for row in answers[name].rows))
        for name in QUESTIONS
        if name in answers and answers[name].rows
    }
    counts = tuple(zip(now.columns, now.rows[0], then, strict=True))
    return CorpusChanges(published, None if before is None else before.name, counts, changes)
