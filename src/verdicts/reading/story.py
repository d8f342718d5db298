"""The story of one record: what it is, where it was read, and why it is attributed to its tool."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from duckdb import DuckDBPyConnection

from verdicts.pipeline.terminal import escape_controls
from verdicts.warehouse.serving.name_lookup import (
    FIND_PAGE,
    FIND_RECORD,
    WHOLE_ID,
    ask_rows,
    candidates,
    find_name_key,
    no_page,
    no_record,
    the_page,
    the_tool,
)
from verdicts.warehouse.serving.query import make_question, open_for_questions, read_answer, translate_own_errors
from verdicts.warehouse.serving.question_answers import names_a_record
from verdicts.warehouse.storage.sql_files import read_sql
from verdicts.warehouse.storage.warehouse_errors import QuestionFailed

PARTS = {
    "review": {
        "review": "review_card",
        "evidence": "review_evidence",
        "doubts": "review_doubts",
        "corrections": "record_corrections",
        "changes": "changed_reviews",
        "appearances": "review_appearances",
    },
    "tool": {
        "tool": "tool_card",
        "prices": "tool_prices",
        "corrections": "record_corrections",
        "opponents": "tool_opponents",
        "reviews": "tool_reviews",
        "withdrawn": "withdrawn_reviews",
    },
    "page": {"page": "page_card", "corrections": "record_corrections", "reviews": "page_reviews"},
    "other page": {"page": "page_overview", "mentions": "page_mentions", "facts": "page_facts"},
    "mentioned": {"listed": "who_lists", "said": "what_sites_say"},
}
"""Kind of record to the parts of its story, in order, and the named question that each answers."""

PARAMETERS = {"other page": "page"}
"""Kind of record to the parameter that takes its id, where that has another name."""

_ROWS_MAX = 10_000
"""The most rows of a part."""

_NAMES = 16
"""Characters of the names' column: `category_group` and a space."""


@dataclass(frozen=True, slots=True)
class Place:
    """Blocks of a record in the raw store, by the columns that name them."""

    segment: str
    segment_offset: int
    first_block: int
    last_block: int


@dataclass(frozen=True, slots=True)
class Story:
    """A review, a tool, a panel's page, an `other page`, or a tool that only other sites have (`mentioned`).

    `str` of it is what `verdicts show` prints.

    `parts` maps names, such as `evidence` and `appearances`, to rows by column name. A row that was read from a page
    has its place as `read_from`, and the page's words as `source` if the raw store has them.
    """

    kind: str
    id: str
    parts: Mapping[str, tuple[Mapping[str, Any], ...]]

    def __str__(self) -> str:
        return "\n\n".join(paragraph for paragraph in map(_lines, self.parts.values()) if paragraph)


def tell_story(corpus: Path, raw: Path | None, words: str, rows_max: int = _ROWS_MAX) -> Story:
    """The story of one record, with source words if the raw store at `raw` still has them.

    `words` are an id, its first characters, the slug or name of a tool, or the address or title of a page. Raises
    `QuestionFailed` if they do not identify one record, `StoreDamaged` if a record with source words is damaged.
    """
    with open_for_questions(corpus) as connection, translate_own_errors(connection, corpus):
        kind, full_id = _find(connection, words)
        values = {PARAMETERS.get(kind, kind): full_id, "limit": str(rows_max)}
        parts = {part: ask_rows(connection, question, values) for part, question in PARTS[kind].items()}
    for rows in parts.values():
        _add_source_words(rows, raw)
    if kind == "review":
        for row in parts["appearances"]:
            row["text"] = None if row["text"] == parts["review"][0]["text"] else row["text"]
    return Story(kind, full_id, MappingProxyType({part: tuple(rows) for part, rows in parts.items()}))


def _find(connection: DuckDBPyConnection, words: str) -> tuple[str, str]:
    """The kind and id of the record. Raises `QuestionFailed` if the words do not identify one.

    A tool with this exact name or slug comes before ids that begin so: `cafe` may be both.
    """
    # No tool is called by a whole id, and the search for its name takes 10 ms.
    tools = [] if WHOLE_ID.fullmatch(words) else candidates(connection, words)
    is_called = any(tool["how"] in ("slug", "name") for tool in tools)
    is_id = words != "" and set(words) <= set("0123456789abcdef")
    matches = ask_rows(connection, FIND_RECORD, {"words": words}) if is_id and not is_called else []
    if not matches and is_id and not tools and find_name_key(connection, words) is None:
        raise _no_id(connection, words)
    if not is_called and not matches:
        if ask_rows(connection, FIND_PAGE, {"page": words}):
            return _page_kind(connection, page_id := the_page(connection, words)), page_id
        if (key := find_name_key(connection, words)) is not None:
            return "mentioned", key
        if names_a_record(words):
            raise no_page(connection, words)
    if not matches and not tools:
        raise no_record(connection, words)
    if not matches:
        return "tool", the_tool(connection, words)
    if len(matches) > 1:
        listed = ", ".join(f"{match['kind']} {match['id']}" for match in matches)
        raise QuestionFailed(f"several ids begin with {words!r}: {listed}")
    kind, record_id = matches[0]["kind"], matches[0]["id"]
    return (_page_kind(connection, record_id) if kind == "page" else kind), record_id


def _page_kind(connection: DuckDBPyConnection, page_id: str) -> str:
    (page,) = ask_rows(connection, "page_overview", {"page": page_id}) or ({"kind": "panel"},)
    return "page" if page["kind"] == "panel" else "other page"


def _no_id(connection: DuckDBPyConnection, words: str) -> QuestionFailed:
    """No record has an id that begins so; the newest correction about one that did says why."""
    made = read_answer(make_question(connection, read_sql("schema/catalog")["correction_of"], {"id": words})).records
    why = (f"; correction {row['correction_id'][:12]} of {row['made_by']} is about it: {row['reason']}" for row in made)
    return QuestionFailed(f"no review, tool or page has an id that begins {words!r}{''.join(why)}")


def _add_source_words(rows: list[dict[str, Any]], raw: Path | None) -> None:
    """Rows that name blocks get that place, and the words of the blocks."""
    for row in rows:
        if not set(Place.__slots__) <= row.keys():
            return
        place = Place(**{name: row.pop(name) for name in Place.__slots__})
        row["read_from"] = (
            f"{place.segment} at {place.segment_offset}, blocks {place.first_block} to {place.last_block}"
        )
        row["source"] = None if raw is None else source_words(raw, place)


def source_words(raw: Path, place: Place) -> str | None:
    """The text of the blocks, or None if the segment is missing. Raises `StoreDamaged`, `ConfigError`."""
    from verdicts.extract.model.records import Span
    from verdicts.extract.page import source_words as words_of
    from verdicts.fetch.store.warc import read_segment
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.pipeline.declaration_files import read_declarations

    segment = raw / place.segment
    if not segment.exists():
        return None
    snapshot = next(read_segment(segment, [place.segment_offset]))
    profiles = read_declarations(DataFolder(raw.parent)).profiles
    return " | ".join(words_of(snapshot, Span(place.first_block, place.last_block), profiles))


def _lines(rows: tuple[Mapping[str, Any], ...]) -> str:
    """One line per column, an empty line between rows; NULLs are left out."""
    return "\n\n".join(
        "\n".join(f"{name:<{_NAMES}}{_value(value)}" for name, value in row.items() if value is not None)
        for row in rows
    )


def _value(value: object) -> str:
    """Further lines of a value are indented, so that none looks like a name of ours."""
    if isinstance(value, float):
        value = round(value, 3)
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return escape_controls(text).replace("\n", f"\n{'':<{_NAMES}}")
