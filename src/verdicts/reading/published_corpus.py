"""The published corpus from Python: `verdicts.open`, with the questions of the commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from verdicts.pipeline.data_folder import DataFolder
from verdicts.reading.story import Story, tell_story
from verdicts.warehouse.serving.named_queries import list_queries
from verdicts.warehouse.serving.published import find_published
from verdicts.warehouse.serving.query import Values, open_question, read_frame
from verdicts.warehouse.serving.question_answers import ask_changes, ask_named, ask_search

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Corpus:
    """One published copy of a corpus, read-only. A later night publishes another; `verdicts.open` opens that.

    Every method raises `QuestionFailed` with the reason if a question cannot be answered.
    """

    path: Path
    """The DuckDB file of the copy, which any DuckDB client can open."""

    data: Path

    def sql(
        self, select: str, values: Values | None = None, *, readable: Sequence[str | PathLike[str]] = ()
    ) -> pl.DataFrame:
        """The answer of one SELECT. `values` are its `$name` parameters.

        The SELECT sees only the corpus: no network, and no files except in the folders of `readable`.
        """
        with open_question(self.path, select, values, readable=[Path(folder) for folder in readable]) as question:
            return read_frame(question)

    def questions(self) -> dict[str, str]:
        """The named questions: each name with its question in words."""
        return {query.name: query.question for query in list_queries()}

    def query(self, name: str, **parameters: str | float | None) -> pl.DataFrame:
        """The answer of a named question. A tool may be given by id, slug or name, or by its name on pages."""
        given = {parameter: str(value) for parameter, value in parameters.items() if value is not None}
        with ask_named(self.path, name, given) as question:
            return read_frame(question)

    def search(self, words: str, *, limit: int = 10) -> pl.DataFrame:
        """Tools, then reviews, then mentions on other sites, at most `limit` of each, the most relevant first.

        The address, path or title of a page, or an id, finds that record.
        """
        with ask_search(self.path, words, limit) as question:
            return read_frame(question)

    def changes(self, since: str) -> pl.DataFrame:
        """Each row that loads changed after the load `since`: `relation`, `row_key`, `change`, and the row `after` it.

        A copy of that load, with these rows removed or written over by key, has the rows of this corpus. The largest
        `load_id` is the next `since`. Raises `ChangesNotKept` if a full copy is needed.
        """
        with ask_changes(self.path, since) as question:
            return read_frame(question)

    def show(self, record: str, *, source: bool = True) -> Story:
        """A review, tool or page with its evidence, or a tool that only other sites list.

        `record` is an id, a slug, a name, an address or a title.

        `source`: with the page's words from the raw store. Raises `StoreDamaged` if these bytes are damaged.
        """
        return tell_story(self.path, DataFolder(self.data).raw if source else None, record)


def open_corpus(data: str | PathLike[str] = "data") -> Corpus:
    """The corpus published in a data folder. Raises `NothingPublished` if there is none yet."""
    folder = Path(data).absolute()
    return Corpus(find_published(DataFolder(folder).serve), folder)
