"""The story of one id: what it is, where it was read, and why it is attributed as it is."""

from pathlib import Path

import polars as pl

from warehouse import QuestionFailed, ask

_SQL = Path(__file__).parent / "show_sql"


def show_id(corpus: Path, wanted: str) -> str:
    """Plain text. `wanted` may be the first characters of an id. Raises `QuestionFailed` where no or several fit."""
    if not wanted or not set(wanted) <= set("0123456789abcdef"):
        raise QuestionFailed(
            f"{wanted!r} is no id: ids are lower-case hex, as in the columns review_id, tool_id, page_id"
        )
    found = _ask(corpus, "find", wanted)
    if found.is_empty():
        raise QuestionFailed(f"no review, tool or page has an id that begins {wanted!r}")
    if found.height > 1:
        listed = ", ".join(f"{kind} {full}" for kind, full in found.rows())
        raise QuestionFailed(f"several ids begin {wanted!r}: {listed}")
    kind, full = found.row(0)
    parts = {
        "review": ("review", "sightings", "evidence"),
        "tool": ("tool", "tool_reviews"),
        "page": ("page", "page_takes"),
    }
    return "\n\n".join(_paragraphs(_ask(corpus, part, full)) for part in parts[kind])


def _ask(corpus: Path, name: str, wanted: str) -> pl.DataFrame:
    return ask(corpus, (_SQL / f"{name}.sql").read_text(encoding="utf-8").replace(":id", f"'{wanted}'"))


def _paragraphs(frame: pl.DataFrame) -> str:
    """A line a column, rows set apart; what is absent is left out."""
    rows = (
        "\n".join(f"{name:<14}{value}" for name, value in row.items() if value is not None)
        for row in frame.iter_rows(named=True)
    )
    return "\n\n".join(rows)
