"""The story of one id: what it is, where it was read, and why it is attributed as it is."""

from pathlib import Path
from typing import Any

from duckdb import DuckDBPyConnection

from verdicts.commands.printing.word_diff import word_diff
from verdicts.pipeline.terminal import shown
from verdicts.warehouse.serving.query import (
    Answer,
    answer_of,
    candidates,
    opened_for_questions,
    question_of,
    questions_of_ours,
    the_tool,
)
from verdicts.warehouse.storage.errors import QuestionFailed

_SQL = Path(__file__).parent / "show_sql"

_PARTS = {
    "review": ("review", "wordings", "evidence", "doubts", "appearances"),
    "tool": ("tool", "tool_reviews"),
    "page": ("page", "page_takes"),
}
"""Kind of id to the queries that tell its story, in order."""

_PLACE = ("segment", "segment_offset", "first_block", "last_block")
"""Columns of an answer that name blocks of a record."""

_NAMES = 16
"""Characters of the names' column: `category_group` and a space."""


def show_id(corpus: Path, raw: Path | None, words: str) -> str:
    """Plain text, with the source words where the raw store at `raw` still has them.

    `words` are an id, its first characters, or the slug or name of a tool. Raises `QuestionFailed` where they are not
    those of one record, `StoreDamaged` where a record with source words is not as it was written.
    """
    with opened_for_questions(corpus) as connection, questions_of_ours(connection, corpus):
        kind, full_id = _find(connection, words)
        answers = {part: _ask(connection, part, full_id) for part in _PARTS[kind]}
    paragraphs = (
        _wordings(answer) if part == "wordings" else _paragraphs(_with_source_words(answer, raw))
        for part, answer in answers.items()
    )
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def _find(connection: DuckDBPyConnection, words: str) -> tuple[str, str]:
    """The kind of record and the id that are meant. Raises `QuestionFailed` where that is not one.

    A tool of that very name or slug comes before ids that begin so: `cafe` may be both.
    """
    tools = candidates(connection, words)
    is_called = any(tool.how in ("slug", "name") for tool in tools)
    is_id = words != "" and set(words) <= set("0123456789abcdef")
    matches = _ask(connection, "find", words).rows if is_id and not is_called else []
    if not matches and is_id and not tools:
        raise QuestionFailed(f"no review, tool or page has an id that begins {words!r}")
    if not matches:
        return "tool", the_tool(connection, words)
    if len(matches) > 1:
        listed = ", ".join(f"{kind} {full_id}" for kind, full_id in matches)
        raise QuestionFailed(f"several ids begin {words!r}: {listed}")
    kind, full_id = matches[0]
    return kind, full_id


def _ask(connection: DuckDBPyConnection, name: str, wanted_id: str) -> Answer:
    sql = (_SQL / f"{name}.sql").read_text(encoding="utf-8").replace(":id", f"'{wanted_id}'")
    return answer_of(question_of(connection, sql))


def _wordings(answer: Answer) -> str:
    """One paragraph per wording: how it was matched, where it stands, and how it differs."""
    paragraphs = []
    for number, (text, review_text, match, similarity, pages) in enumerate(answer.rows, start=1):
        is_same = text == review_text
        place = f"{number} of {len(answer.rows)}, on {pages} page{'s' if pages > 1 else ''}"
        how = "" if is_same else f", {match} ({similarity})"
        words = "the words above" if is_same else word_diff(review_text, text)
        paragraphs.append(f"{'wording':<{_NAMES}}{place}{how}\n{'words':<{_NAMES}}{_value(words)}")
    return "\n\n".join(paragraphs)


def _paragraphs(rows: list[dict[str, Any]]) -> str:
    """One line per column, an empty line between rows; NULLs are left out."""
    return "\n\n".join(
        "\n".join(f"{name:<{_NAMES}}{_value(value)}" for name, value in row.items() if value is not None)
        for row in rows
    )


def _value(value: object) -> str:
    """A value beside its name. Its further lines are indented: none passes for a name of ours."""
    return shown(str(value)).replace("\n", f"\n{'':<{_NAMES}}")


def _with_source_words(answer: Answer, raw: Path | None) -> list[dict[str, Any]]:
    """The rows by column name. Where they name blocks of a record, with that place and the words of the blocks."""
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    if not set(_PLACE) <= set(answer.columns):
        return rows
    from verdicts.pipeline.source_words import Place, source_words

    for row in rows:
        place = Place(**{name: row.pop(name) for name in _PLACE})
        row["read_from"] = (
            f"{place.segment} at {place.segment_offset}, blocks {place.first_block} to {place.last_block}"
        )
        row["source"] = None if raw is None else source_words(raw, place)
    return rows
