"""The tools of an assistant: each a record of its parameters, with the answer of the published copy."""

from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from verdicts.assistant.answers import CELL_CHARS, NOTICE, Answer, Quote
from verdicts.explore.sql_cell import SECONDS_MAX, SQL_CHARS_MAX, ask_select
from verdicts.fetch.model.fetch_errors import StoreDamaged
from verdicts.reading.story import PARAMETERS, PARTS, tell_story
from verdicts.warehouse.serving.named_queries import queries_by_topic, query_named
from verdicts.warehouse.serving.query import open_for_questions, read_answer
from verdicts.warehouse.serving.question_answers import NOTHING_FOUND, ask_named, ask_search, has_panel, why_empty
from verdicts.warehouse.storage.warehouse_errors import QuestionFailed

SEARCH_MAX, SHOW_ROWS, ROWS_MAX = 50, 10, 200
"""The most rows of a kind in a search, of a part of a record, of an answer."""

Words = Annotated[str, Meta(min_length=1, max_length=500)]


class Search(Struct, forbid_unknown_fields=True):
    """Find tools, reviews (what a reviewer of the panel says of a tool), and pages, with at least one word."""

    words: Annotated[Words, Meta(description="Words to look for.")]
    limit: Annotated[int, Meta(ge=1, le=SEARCH_MAX, description="The most tools, and the most reviews.")] = 10

    def answer(self, copy: Path, _raw: Path) -> Answer:
        with ask_search(copy, self.words, self.limit + 1) as question:
            answer = read_answer(question)
        kinds = {kind: [row for row in answer.rows if row[0] == kind] for kind, *_ in answer.rows}
        rows = [row for of_kind in kinds.values() for row in of_kind[: self.limit]]
        quote = Quote(copy)
        quote.more += [] if answer.rows else [NOTHING_FOUND.format(self.words)]
        rest = f"other words or another limit, at most {SEARCH_MAX}, show them"
        return quote.answer(quote.table(answer.columns, rows, rest, is_cut=len(rows) < len(answer.rows)))


class Show(Struct, forbid_unknown_fields=True):
    """Show one review, tool or page with its evidence: where it was read, in which words, who lists it."""

    record: Annotated[Words, Meta(description="An id or its beginning, a tool's slug or name, a page's URL or title.")]

    def answer(self, copy: Path, raw: Path) -> Answer:
        quote = Quote(copy)
        try:
            story = tell_story(copy, raw, self.record, SHOW_ROWS + 1)
        except StoreDamaged:
            story = tell_story(copy, None, self.record, SHOW_ROWS + 1)
            quote.more.append(
                "the raw store is damaged, so the source words are left out: 'verdicts repair' repairs it"
            )
        kind = story.kind
        quote.rows(["id"], [[story.id]], "")
        quoted: dict[str, Any] = {"kind": kind, "id": story.id}
        for part, rows in story.parts.items():
            columns = [*rows[0]] if rows else []
            rest = (
                f"for more {part} ask {PARTS[kind][part]} with {PARAMETERS.get(kind, kind)}={story.id} and this offset"
            )
            values = [[*row.values()] for row in rows]
            taken = quote.rows(columns, values[:SHOW_ROWS], rest, is_cut=len(values) > SHOW_ROWS)
            pairs = (zip(columns, row, strict=True) for row in taken)
            quoted[part] = [{name: value for name, value in row if value is not None} for row in pairs]
        return quote.answer(quoted)


class Ask(Struct, forbid_unknown_fields=True):
    """Ask a named question. Without one, list the main questions with their parameters."""

    question: Annotated[Words | None, Meta(description="Name of the question, such as tool_prices.")] = None
    every: Annotated[bool, Meta(description="Without a question: list all questions, also detailed ones.")] = False
    parameters: Annotated[dict[Words, Words | int | float], Meta(description="Values by name, {tool: Curlow}.")] = {}
    limit: Annotated[int, Meta(ge=1, le=ROWS_MAX, description="The most rows.")] = 20
    offset: Annotated[int, Meta(ge=0, le=100_000, description="Rows to leave out at the beginning.")] = 0

    def answer(self, copy: Path, _raw: Path) -> Answer:
        if self.question is None:
            with open_for_questions(copy) as connection:
                topics = queries_by_topic(is_short=not self.every, has_panel=has_panel(connection))
            chosen = [query for _, queries in topics for query in queries]
            takes = {query.name: [f"{part.name}: {part.meaning}" for part in query.parameters] for query in chosen}
            listed = {query.name: {"question": query.question, "parameters": takes[query.name]} for query in chosen}
            return Answer(NOTICE, copy.name, reference=listed)
        if "limit" in self.parameters:
            raise QuestionFailed("limit does not belong in parameters: give it beside them")
        end = self.offset + self.limit
        values = {name: str(value) for name, value in self.parameters.items()} | {"limit": str(end + 1)}
        with ask_named(copy, self.question, values) as question:
            answer = read_answer(question)
            asked = query_named(self.question)
            lack = None if answer.rows else why_empty(question.connection, asked)
        rows = answer.rows[self.offset : end]
        quote = Quote(copy)
        quote.more += [lack] if lack else asked.notes if answer.rows else []
        rest = "ask again with this offset"
        return quote.answer(quote.table(answer.columns, rows, rest, self.offset, is_cut=len(answer.rows) > end))


class Sql(Struct, forbid_unknown_fields=True):
    """Run one SELECT of DuckDB over the corpus, without files and network. All values come as texts."""

    select: Annotated[str, Meta(min_length=1, max_length=SQL_CHARS_MAX, description=f"Ended after {SECONDS_MAX:g} s.")]

    def answer(self, copy: Path, _raw: Path) -> Answer:
        answer = ask_select(copy, self.select, rows_max=ROWS_MAX, cell_chars=CELL_CHARS)
        quote = Quote(copy)
        rest = "select fewer columns, or the next rows by ORDER BY, LIMIT and OFFSET"
        return quote.answer(quote.table(answer.columns, answer.rows, rest, is_cut=answer.is_cut))


class Dictionary(Struct, forbid_unknown_fields=True):
    """List the tables and views of the corpus, or the columns of one and what they mean, for sql."""

    relation: Annotated[Words | None, Meta(description="One table or view, such as reviews or evidence.doubts.")] = None

    def answer(self, copy: Path, _raw: Path) -> Answer:
        with ask_named(copy, "relations", {} if self.relation is None else {"relation": self.relation}) as question:
            answer = read_answer(question).rows
        if self.relation is None:
            return Answer(NOTICE, copy.name, reference={relation: meaning for relation, meaning, *_ in answer})
        columns = {name: f"{kind}. {meaning}" for _, _, name, kind, meaning in answer}
        return Answer(NOTICE, copy.name, reference=columns)


Call = Search | Show | Ask | Sql | Dictionary

CALLS: dict[str, type[Call]] = {kind.__name__.lower(): kind for kind in (Search, Show, Ask, Sql, Dictionary)}
