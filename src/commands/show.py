"""The story of one id: what it is, where it was read, and why it is attributed as it is."""

from pathlib import Path

import polars as pl

from commands.word_diff import word_diff
from extract.model.records import Span
from extract.page import source_words
from fetch.store.warc import read_segment
from warehouse.serving.query import ask
from warehouse.storage.errors import QuestionFailed

_SQL = Path(__file__).parent / "show_sql"


def show_id(corpus: Path, raw: Path, wanted: str) -> str:
    """Plain text, with the source words where the raw store at `raw` still has them.

    `wanted` may be the first characters of an id. Raises `QuestionFailed` where no or several fit.
    """
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
        "review": ("review", "wordings", "evidence", "doubts", "appearances"),
        "tool": ("tool", "tool_reviews"),
        "page": ("page", "page_takes"),
    }
    frames = {part: _ask(corpus, part, full) for part in parts[kind]}
    told = (
        _wordings(frame) if part == "wordings" else _paragraphs(_with_sources(frame, raw))
        for part, frame in frames.items()
    )
    return "\n\n".join(paragraphs for paragraphs in told if paragraphs)


def _wordings(frame: pl.DataFrame) -> str:
    """A paragraph a wording: how it was matched, where it stands, and what it says otherwise."""
    paragraphs = []
    for at, (text, told, match, similarity, pages) in enumerate(frame.iter_rows(), start=1):
        where = f"{at} of {frame.height}, on {pages} page{'s' if pages > 1 else ''}"
        alike = "" if text == told else f", {match} ({similarity})"
        said = "the words above" if text == told else word_diff(told, text)
        paragraphs.append(f"{'wording':<14}{where}{alike}\n{'words':<14}{said}")
    return "\n\n".join(paragraphs)


def _with_sources(frame: pl.DataFrame, raw: Path) -> pl.DataFrame:
    """Where rows say which blocks of which record they were read from, the words of these blocks."""
    place = ("segment", "segment_offset", "first_block", "last_block")
    if not set(place) <= set(frame.columns):
        return frame
    rows = [_source(raw, *row) for row in frame.select(place).iter_rows()]
    where = [f"{row[0]} at {row[1]}, blocks {row[2]} to {row[3]}" for row in frame.select(place).iter_rows()]
    return frame.drop(place).with_columns(pl.Series("read_from", where), pl.Series("source", rows, pl.String()))


def _source(raw: Path, segment: str, offset: int, first: int, last: int) -> str | None:
    if not (raw / segment).exists():
        return None
    _, snapshot = next(read_segment(raw / segment, [offset]))
    return " | ".join(source_words(snapshot, Span(first, last)))


def _ask(corpus: Path, name: str, wanted: str) -> pl.DataFrame:
    return ask(corpus, (_SQL / f"{name}.sql").read_text(encoding="utf-8").replace(":id", f"'{wanted}'"))


def _paragraphs(frame: pl.DataFrame) -> str:
    """A line a column, rows set apart; what is absent is left out."""
    rows = (
        "\n".join(f"{name:<14}{value}" for name, value in row.items() if value is not None)
        for row in frame.iter_rows(named=True)
    )
    return "\n\n".join(rows)
